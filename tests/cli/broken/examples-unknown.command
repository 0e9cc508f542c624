dbsim examples four-crads
