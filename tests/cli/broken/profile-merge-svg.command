dbsim profile merge other-model.json other-model.json --svg p.svg
