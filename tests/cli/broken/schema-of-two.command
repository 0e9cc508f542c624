dbsim schema --profile --network-cases
