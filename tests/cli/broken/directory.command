dbsim run folder.toml --out results
