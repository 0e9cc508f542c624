dbsim run good.toml good.toml
