dbsim run good.toml --policies fixed,orcale
