dbsim run good.toml --set worker.fats.count=2
