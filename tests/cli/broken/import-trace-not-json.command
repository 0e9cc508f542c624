dbsim import profile --trace no-trace.json=8 --model m --out p.json
