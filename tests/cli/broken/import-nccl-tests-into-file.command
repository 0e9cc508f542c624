dbsim import nccl-tests two-ranks.txt no-run.txt --out good.toml
