dbsim import profile steps.csv --model m --device d --out p.json
