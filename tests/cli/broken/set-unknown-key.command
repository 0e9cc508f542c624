dbsim run good.toml --set job.epoch=3
