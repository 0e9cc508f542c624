dbsim import nccl-tests
