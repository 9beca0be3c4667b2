# Peers of the kit, and the experiments of the documents: see README.md in this directory. Included by the Makefile.
#
# A team is an object file. Only installed teams take part; `make deps-peers` installs them, on Debian.

CONTEST  := build/peers
COMPILER := $(foreach c,gcc clang,$(if $(shell command -v $c 2>/dev/null),$c))
FASTEST  := -O3 -march=native
PLAIN    := -O2
RSB      := $(wildcard $(INCLUDES)/rsb.h)
LLVM     := $(if $(shell command -v mlir-opt-16 2>/dev/null),$(if $(shell command -v clang-16 2>/dev/null),16))
TEAMS    := $(COMPILER:%=kit_%) $(if $(filter gcc,$(COMPILER)),kit_plain $(if $(filter x86_64,$(shell uname -m)),kit_targets)) $(COMPILER:%=loops_%) \
            $(if $(LLVM),mlir_v0 mlir_v8) $(if $(EIGEN),eigen_gcc) $(if $(and $(EIGEN),$(filter clang,$(COMPILER))),eigen_clang) \
            $(if $(GRAPH),graphblas) $(if $(RSB),rsb)
TAKING   := $(TEAMS:%=$(CONTEST)/%.o) $(if $(LLVM),$(CONTEST)/kernels_v0.o $(CONTEST)/kernels_v8.o)
PART      = -std=c11 $(filter-out -Werror,$(WARNINGS)) -I. -DPEERS_TEAM=team_$(@F:.o=)

# for graphs also the teams that run rows in several threads
THREADS  := $(if $(filter gcc,$(COMPILER)),$(shell echo 'int main(void) { return 0; }' | gcc -fopenmp -x c - -o /dev/null 2>/dev/null && echo kit_threads loops_threads))
SEARCHES := $(filter kit_gcc kit_clang loops_gcc loops_clang graphblas,$(TEAMS)) $(THREADS)

# one thread: libraries that were compiled with OpenMP read this variable before main
bench-peers: $(CONTEST)/peers
	@OMP_NUM_THREADS=1 $<
# every size, with one thread and with two threads
bench-graphs: $(CONTEST)/graphs
	@$<
# from 1e4 to 1e8 entries: a table, and build/paper/growth.svg
bench-growth: $(CONTEST)/paper
	@mkdir -p build/paper
	@OMP_NUM_THREADS=1 BENCH_LARGE=1 $< $(DATA) Growth
paper: $(CONTEST)/paper
	@mkdir -p build/paper
	@OMP_NUM_THREADS=1 $< $(DATA) > build/paper/paper.md.part && mv build/paper/paper.md.part build/paper/paper.md && cat build/paper/paper.md
$(CONTEST)/peers $(CONTEST)/paper: $(CONTEST)/%: bench/peers/%.c $(TAKING) bench/peers/contest.h
	$(CC) -std=c11 $(WARNINGS) $(PLAIN) -I. '-DPEERS_TEAMS=$(foreach t,$(TEAMS),TEAM($t))' $(filter %.c %.o,$^) -o $@ \
	    $(if $(GRAPH),-lgraphblas) $(if $(RSB),-lrsb) $(if $(EIGEN),-lstdc++) -lm

$(CONTEST)/graphs: bench/peers/graphs.c $(SEARCHES:%=$(CONTEST)/%.o) bench/peers/contest.h
	$(CC) -std=c11 $(WARNINGS) $(PLAIN) -I. '-DPEERS_TEAMS=$(foreach t,$(SEARCHES),TEAM($t))' $(filter %.c %.o,$^) -o $@ \
	    $(if $(GRAPH),-lgraphblas) $(if $(THREADS),-lgomp) -lm

$(TAKING) $(THREADS:%=$(CONTEST)/%.o): | $(CONTEST)
$(THREADS:%=$(CONTEST)/%.o) $(TEAMS:%=$(CONTEST)/%.o): $(HEADERS) bench/bench.h bench/loops.h bench/peers/peers.h bench/peers/storage.h
$(CONTEST):
	@mkdir -p $@
$(CONTEST)/kit_plain.o: bench/peers/kit.c
	gcc $(PART) $(PLAIN) -DPEERS_PLAIN=1 '-DPEERS_NAME="gcc -O2"' -c $< -o $@
$(CONTEST)/kit_targets.o: bench/peers/kit.c
	gcc $(PART) $(PLAIN) -DPEERS_PLAIN=2 '-DSPARSE_TARGETS="avx512f","avx2","default"' '-DPEERS_NAME="gcc -O2, SPARSE_TARGETS"' -c $< -o $@
$(CONTEST)/kit_threads.o $(CONTEST)/loops_threads.o: $(CONTEST)/%_threads.o: bench/peers/%.c
	gcc $(PART) $(FASTEST) -fopenmp -DPEERS_PARALLEL=1 '-DPEERS_NAME="gcc -fopenmp"' -c $< -o $@
$(CONTEST)/kit_%.o: bench/peers/kit.c
	$* $(PART) $(FASTEST) '-DPEERS_NAME="$*"' -c $< -o $@
$(CONTEST)/loops_%.o: bench/peers/loops.c
	$* $(PART) $(FASTEST) '-DPEERS_NAME="$*"' -c $< -o $@
$(CONTEST)/eigen_%.o: bench/peers/eigen.cc
	$(subst gcc,g++,$(subst clang,clang++,$*)) -std=c++17 $(FASTEST) -I. -I$(EIGEN) -DPEERS_TEAM=team_eigen_$* \
	    '-DPEERS_NAME="$*"' -c $< -o $@
$(CONTEST)/graphblas.o: bench/peers/graphblas.c
	$(CC) $(PART) $(PLAIN) -I$(dir $(GRAPH)) '-DPEERS_NAME="library"' -c $< -o $@
$(CONTEST)/rsb.o: bench/peers/rsb.c
	$(CC) $(PART) $(PLAIN) '-DPEERS_NAME="library"' -c $< -o $@

# MLIR: loops from its sparse compiler, scalar (vl=0) and with vectors of eight; compiled by its own LLVM
$(CONTEST)/mlir_v%.o: bench/peers/mlir.c
	$(CC) $(PART) $(PLAIN) -DMLIR_PREFIX=mlir_v$* '-DPEERS_NAME="LLVM $(LLVM) vl=$*"' -c $< -o $@
$(CONTEST)/kernels_v%.o: bench/peers/kernels.mlir
	sed 's/@mlir_/@mlir_v$*_/' $< | mlir-opt-$(LLVM) --sparse-compiler='enable-runtime-library=false vl=$*' | \
	    mlir-translate-$(LLVM) --mlir-to-llvmir | clang-$(LLVM) $(FASTEST) -Wno-override-module -x ir -c - -o $@
	objcopy --wildcard --keep-global-symbol='_mlir_ciface_*' $@

deps-peers:
	apt-get install -y -q --no-install-recommends gcc g++ clang libeigen3-dev libgraphblas-dev librsb-dev \
	    mlir-16-tools clang-16
.PHONY: bench-peers bench-graphs bench-growth paper deps-peers
