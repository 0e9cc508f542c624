dbsim profile merge other-model.json small-batches.json --out p.json
