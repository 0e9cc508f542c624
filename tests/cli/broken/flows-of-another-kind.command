dbsim flows mistakes.json --json
