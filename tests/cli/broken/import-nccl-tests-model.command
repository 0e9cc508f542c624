dbsim import nccl-tests two-ranks.txt --model m
