# The front door. Each target does everything it needs: installs what is missing, configures, builds, runs.
# JOBS=n limits the processes (default: all cores).

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
RELEASE := build/release

.DEFAULT_GOAL := help
.PHONY: help demo test bench cuda lint format package gpu-bundle install-dependencies clean dependencies-build dependencies-lint configure

help:
	@echo 'make demo                  measure this CPU, then predict with what was measured; results in build/demo'
	@echo 'make test                  build everything optimised and run all tests'
	@echo 'make bench                 measure dbsim itself and the kernels of calibration (minutes)'
	@echo 'make cuda                  build with the CUDA half, into build/cuda'
	@echo 'make lint                  formatting, clang-tidy, shellcheck: what CI will say'
	@echo 'make format                rewrite the C++ sources in the house format'
	@echo 'make package               build/release/package/*.deb'
	@echo 'make gpu-bundle            build/dbsim-gpu-bundle.tar.gz: for a GPU machine without libraries; see tests/gpu'
	@echo 'make install-dependencies  all packages for building, testing and linting (Debian, apt-get)'
	@echo 'make clean                 remove build/'
	@echo
	@echo 'JOBS=n limits the processes (now $(JOBS)).'

install-dependencies:
	@tools/install-dependencies build lint

dependencies-build:
	@tools/install-dependencies build

dependencies-lint:
	@tools/install-dependencies build lint

configure: dependencies-build
	cmake --preset release

demo: configure
	cmake --build --preset release --parallel $(JOBS) --target dbsim dbsim-calibrate
	$(RELEASE)/bin/dbsim run scenarios/four-cards.toml --out build/demo/four-cards
	@echo
	@echo 'The same for machines like this one, measured now (about 20 s):'
	$(RELEASE)/bin/dbsim-calibrate --model mnistnet --dataset mnist --device cpu --threads 1 --batches 16:512 \
	    --budget 15 --out build/demo/this-machine.json
	$(RELEASE)/bin/dbsim run scenarios/this-machine.toml --set 'worker[0].profile=$(CURDIR)/build/demo/this-machine.json' \
	    --set 'worker[1].profile=$(CURDIR)/build/demo/this-machine.json' --out build/demo/this-machine
	@echo
	@echo 'Two predictions and a profile are in build/demo:'
	@ls build/demo/*

test: configure
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release --parallel $(JOBS)

# With nvcc but without a GPU this proves that the CUDA half compiles and links.
cuda: configure
	cmake --preset cuda
	cmake --build --preset cuda --parallel $(JOBS)

bench: configure
	cmake --build --preset release --parallel $(JOBS) --target dbsim-bench
	$(RELEASE)/bin/dbsim-bench

lint: dependencies-lint
	JOBS=$(JOBS) tools/lint

format: dependencies-lint
	tools/lint reformat

package: configure
	cmake --build --preset release --parallel $(JOBS)
	cmake --build --preset release --target package
	@ls $(RELEASE)/package/*.deb

gpu-bundle: dependencies-build
	tools/gpu-bundle

clean:
	cmake -E rm -rf build
