dbsim profile show other-model.json --out p.json
