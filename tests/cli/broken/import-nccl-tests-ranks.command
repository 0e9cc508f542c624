dbsim import nccl-tests two-ranks.txt --place out --out n.json
