dbsim run good.toml --policies fixed --baseline dbs
