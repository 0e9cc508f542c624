dbsim run good.toml --set job.epochs=0
