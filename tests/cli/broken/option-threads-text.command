dbsim run good.toml --threads many
