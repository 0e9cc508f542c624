dbsim profile shwo other-model.json
