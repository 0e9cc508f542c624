dbsim check good.toml no-epochs.toml
