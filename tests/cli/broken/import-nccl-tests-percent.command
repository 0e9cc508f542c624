dbsim import nccl-tests two-ranks.txt --halves --within few
