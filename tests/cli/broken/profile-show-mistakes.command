dbsim profile show mistaken-details.json
