dbsim import profile one-batch.csv --model m --device d --out p.json
