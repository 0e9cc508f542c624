dbsim import profile steps.csv --model m --device d --halves
