dbsim import nccl-tests two-ranks.txt --ranks 2x4
