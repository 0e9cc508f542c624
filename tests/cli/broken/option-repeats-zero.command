dbsim run good.toml --repeats 0
