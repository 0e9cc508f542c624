dbsim import
