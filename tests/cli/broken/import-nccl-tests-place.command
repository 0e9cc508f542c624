dbsim import nccl-tests two-ranks.txt --place here
