dbsim run nowhere.toml --out results
