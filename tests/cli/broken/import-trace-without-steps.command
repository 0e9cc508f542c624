dbsim import profile --trace no-steps.json=8 --model m --out p.json
