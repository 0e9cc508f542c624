dbsim import profile columns.csv --model m --device d --out p.json
