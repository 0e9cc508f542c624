dbsim import profile one-batch.csv --model m --device d --parameters 44
