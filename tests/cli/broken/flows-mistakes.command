dbsim flows flows-mistakes.json
