dbsim import profile --model m
