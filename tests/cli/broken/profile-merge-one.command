dbsim profile merge other-model.json
