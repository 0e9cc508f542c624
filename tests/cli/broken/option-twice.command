dbsim run good.toml --seed 1 --seed 2
