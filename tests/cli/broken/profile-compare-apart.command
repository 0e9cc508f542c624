dbsim profile compare other-model.json small-batches.json
