dbsim import nccl-tests broken-run.txt no-run.txt run-of-one.json --out n
