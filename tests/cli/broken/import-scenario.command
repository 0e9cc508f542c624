dbsim import scenario steps.csv
