dbsim run good.toml --policies ,
