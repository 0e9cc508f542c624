dbsim import nccl-tests two-ranks.txt --within 5
