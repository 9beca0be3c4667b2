# make run                     the main job: a stiffness matrix from a file, multiplied and solved
# make test [CC=clang]         all tests; the last line is `N passed, N failed, N skipped`
# make bench                   kernels against the best loops that we could write by hand
# make expand K=spmv           the loops that a kernel becomes, of any example or test, or of the file F=mine.c;
#                              O=out.c writes F with them in place, for a debugger
# make deps                    installs what the tests can use, on Debian (as root); the kit itself needs a compiler
# make clean
#
# MATRIX=file.mtx: for `make run`. DATA=directory: real matrices for the tests, skipped if they are not there.

ifeq ($(origin CXX),default)
CXX      := $(if $(filter cc,$(CC)),c++,$(subst gcc,g++,$(subst clang,clang++,$(CC))))
endif
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror
MATRIX   := examples/data/plate.mtx
DATA     := ../shared/data
JOBS     := $(shell nproc 2>/dev/null || echo 2)
B        := build/$(notdir $(CC))
HEADERS  := $(wildcard sparse*.h)

run: $(B)/spmv $(B)/cg
	$(B)/spmv $(MATRIX)
	$(B)/cg $(MATRIX)

$(B)/%: examples/%.c $(HEADERS) | $(B)
	$(CC) -std=c11 -O3 $(WARNINGS) $(CFLAGS) -I. $< -o $@ -lm
$(B)/%: bench/%.c $(HEADERS) $(wildcard bench/*.h) | $(B)
	$(CC) -std=c11 -O3 -march=native -fopenmp $(CFLAGS) -I. $< -o $@ -lm
$(B):
	@mkdir -p $@

# Libraries to compare with take part if they are there: Eigen, and SuiteSparse:GraphBLAS.
INCLUDES := $(firstword $(wildcard /usr/include /usr/local/include))
EIGEN    := $(wildcard $(INCLUDES)/eigen3)
GRAPH    := $(firstword $(wildcard $(INCLUDES)/GraphBLAS.h $(INCLUDES)/suitesparse/GraphBLAS.h))
PEERS    := $(if $(EIGEN),-DBENCH_EIGEN=1) $(if $(GRAPH),-DBENCH_GRAPHBLAS=1 $(if $(findstring suitesparse,$(GRAPH)),-I$(dir $(GRAPH))))
$(B)/convert $(B)/outputs: $(B)/%: bench/%.c $(if $(EIGEN),$(B)/%_eigen.o) $(HEADERS) bench/bench.h | $(B)
	$(CC) -std=c11 -O3 -march=native -fopenmp $(PEERS) $(CFLAGS) -I. $(filter %.c %.o,$^) -o $@ \
	    $(if $(GRAPH),-lgraphblas) -lm $(if $(EIGEN),-lstdc++)
$(B)/%_eigen.o: bench/%_eigen.cc | $(B)
	$(CXX) -std=c++17 -O3 -march=native -I$(EIGEN) -c $< -o $@

BENCHES := $(patsubst bench/%.c,%,$(wildcard bench/*.c))
bench: $(BENCHES:%=$(B)/%)
	@for b in $^; do $$b || exit; done
	@for b in $(wildcard bench/*.sh); do $$b $(CC) || exit; done

SHOWN = $(or $(F),$(firstword $(shell grep -l 'SPARSE_KERNEL.$(K),' examples/*.c tests/*.c tests/*/*.c bench/*)))
expand:
	@$(if $(K),,$(error make expand K=kernel [F=file.c] [O=out.c]))
	@$(if $(SHOWN),,$(error no kernel $(K) in examples and tests; name its file: F=file.c))
	@CC="$(CC)" tests/expand.sh $(if $(O),-o $(O)) $(SHOWN) $(K)

# Tests. A configuration is a compiler command; every test_*.c runs in all of them, test_*.cc in that of C++,
# the kernels of tests/generate_kernels.c in two that see most, and a slice of them in each of the others.
CONFIGURATIONS := O0 O1 Os O3 sanitized m32 openmp cxx
C              := $(CC) -std=c11 $(WARNINGS)
compile_O0        = $(C) -O0
compile_O1        = $(C) -O1
compile_Os        = $(C) -Os
compile_O3        = $(C) -O3 -march=native
compile_sanitized = $(C) -g -fsanitize=address,undefined -fno-sanitize-recover=all
compile_m32       = $(C) -O1 -m32 -msse2 -mfpmath=sse
compile_openmp    = $(C) -O2 -fopenmp
compile_cxx       = $(CXX) -std=c++17 $(WARNINGS) -O1 -x c++

UNITS   := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
UNITSXX := $(patsubst tests/%.cc,%,$(wildcard tests/test_*.cc))
SCRIPTS := $(filter-out check expand,$(patsubst tests/%.sh,%,$(wildcard tests/*.sh)))
SLICES  := $(shell cat $(B)/slices 2>/dev/null)
OTHERS  := $(filter-out sanitized O3,$(CONFIGURATIONS))
TURNS   := $(wordlist 1,$(words $(SLICES)),$(OTHERS) $(OTHERS) $(OTHERS) $(OTHERS) $(OTHERS))
LOGS    := $(SCRIPTS:%=$(B)/%.log) $(patsubst tests/%.c,$(B)/%.log,$(wildcard tests/generate_kernels.c)) \
           $(foreach c,$(CONFIGURATIONS),$(UNITS:%=$(B)/$c/%.log)) $(UNITSXX:%=$(B)/cxx/%.log) \
           $(foreach c,sanitized O3,$(SLICES:%=$(B)/$c/kernels_%.log)) \
           $(patsubst %,$(B)/%.log,$(join $(TURNS:%=%/kernels_),$(SLICES)))
AGAIN   := $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

test: | $(B)
	@find $(B) -name '*.log' | xargs -r grep -LE ': [0-9]+ passed, 0 failed$$' | xargs -r rm -f
	@$(AGAIN) $(filter %/generate_kernels.log,$(LOGS))
	@$(AGAIN) logs
	@$(AGAIN) sum
logs: $(LOGS)
sum:
	@tests/check.sh -s $(LOGS)

CHECK = tests/check.sh $@ sh -c
$(B)/generate_kernels.log: tests/generate_kernels.c | $(B)
	@$(CHECK) '$(C) -O1 $< -o $(@:.log=) && $(@:.log=) --list > $(B)/slices && echo "generate_kernels: 1 passed, 0 failed"'
define rules
$(B)/$1/%.log: tests/%.c $(HEADERS) $(wildcard tests/*.h) | $(B)/$1/probe
	@$$(CHECK) '$$(compile_$1) -I. -Itests $$< -o $$(@:.log=) -lm && SPARSE_DATA=$(DATA) $$(@:.log=)'
$(B)/$1/%.log: tests/%.cc $(HEADERS) $(wildcard tests/*.h) | $(B)/$1/probe
	@$$(CHECK) '$$(compile_$1) -I. -Itests $$< -o $$(@:.log=) -lm && SPARSE_DATA=$(DATA) $$(@:.log=)'
$(B)/$1/kernels_%.log: $(B)/generate_kernels.log $(HEADERS) $(wildcard tests/*.h) | $(B)/$1/probe
	@$$(CHECK) '$(B)/generate_kernels $$* > $$(@:.log=.c) && \
	    $$(compile_$1) -I. -Itests $$(@:.log=.c) -o $$(@:.log=) -lm && $$(@:.log=)'
$(B)/$1/probe:
	@mkdir -p $$(@D) && rm -f $$(@D)/cannot && echo 'int main(void) { return 0; }' > $$@.c
	@($$(compile_$1) $$@.c -o $$@ && $$@) > /dev/null 2>&1 || \
	    echo 'as `$$(compile_$1)` does not work here' | tee $$(@D)/cannot > $$@
endef
$(foreach c,$(CONFIGURATIONS),$(eval $(call rules,$c)))

$(B)/%.log: tests/%.sh $(HEADERS) $(wildcard README.md sparse_gen.c tests/*.sh examples/* examples/*/* tests/*/*) | $(B)
	@CC='$(CC)' CXX='$(CXX)' WARNINGS='$(WARNINGS)' SPARSE_DATA='$(DATA)' tests/check.sh $@ bash $<

deps:
	apt-get install -y -q gcc g++ gcc-multilib g++-multilib clang libclang-rt-14-dev libomp-dev clang-format \
	    qemu-user libeigen3-dev libsuitesparse-dev gzip
clean:
	rm -rf build

.PHONY: run bench expand test logs sum deps clean
