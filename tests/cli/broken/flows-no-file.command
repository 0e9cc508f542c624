dbsim flows
