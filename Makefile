# The front door. Each target does everything it needs: installs what is missing, configures, builds, runs.
# JOBS=n limits the processes (default: all cores).

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
RELEASE := build/release

.DEFAULT_GOAL := help
.PHONY: help demo test bench lint format package gpu-bundle install-dependencies clean dependencies-build dependencies-lint configure

help:
	@echo 'make demo                  predict the shipped four-card example; results in build/demo'
	@echo 'make test                  build everything optimised and run all tests'
	@echo 'make bench                 measure dbsim itself'
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
	cmake --build --preset release --parallel $(JOBS) --target dbsim
	$(RELEASE)/bin/dbsim run scenarios/four-cards.toml --out build/demo
	@echo
	@echo 'The results are in build/demo:'
	@ls build/demo

test: configure
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release --parallel $(JOBS)

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
