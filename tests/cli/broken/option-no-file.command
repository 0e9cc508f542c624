dbsim run --json
