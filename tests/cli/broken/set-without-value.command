dbsim run good.toml --set job.epochs
