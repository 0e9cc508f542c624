dbsim check no-epochs.toml no-job.toml
