dbsim import nccl-test two-ranks.txt
