dbsim import nccl-tests two-ranks.txt --place out --ranks 4,4 --halves
