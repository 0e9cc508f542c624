dbsim run good.toml --repeat 3
