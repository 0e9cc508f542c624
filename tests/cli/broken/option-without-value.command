dbsim run good.toml --seed
