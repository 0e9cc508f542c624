dbsim import profile --trace no-steps.json --model m
