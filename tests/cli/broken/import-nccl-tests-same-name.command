dbsim import nccl-tests two-ranks.txt ./two-ranks.txt --out n
