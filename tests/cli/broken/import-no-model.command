dbsim import profile one-batch.csv --device d
