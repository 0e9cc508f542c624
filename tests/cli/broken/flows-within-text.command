dbsim flows flows-mistakes.json --within much
