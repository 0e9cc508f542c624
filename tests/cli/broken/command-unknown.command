dbsim simulate good.toml
