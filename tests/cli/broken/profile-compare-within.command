dbsim profile compare other-model.json other-model.json --within much
