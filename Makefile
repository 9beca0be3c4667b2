# make run                     multiplies by a stiffness matrix from a file and solves a system with it; MATRIX=file.mtx
# make help                    this list
# make spy                     build/spy.svg, a picture of the nonzeros of MATRIX=file.mtx.gz
# make test                    the everyday test suite; CC=clang for clang
# make test-all                all tests in all configurations, for hours; CC=clang for clang
# make times                   the processor time of each test in its last run
# make fuzz                    reads damaged files that clang's libFuzzer makes up; SECONDS=10 KINDS="npz gz"
# make mutate                  counts how many single changes of the code the tests find; SEED=1 COUNT=10 FILES=sparse.h
# make sizes                   the bytes of one kernel on each target, with and without checks
# make stack                   the stack that each public function takes on a Cortex-M4
# make embedded                every table of docs/embedded.md, and the goals for controllers with measured figures
# make targets                 the canonical kernels on emulated controllers and other machines; ONLY="m0 s390x"
# make bench                   times kernels against the best loops that we could write by hand
# make convolve                times convolutions against dense loops and the loops that TACO-UCF and MLIR generate
# make roofline                build/roofline.svg: the speed of kernels, and the measured limits of memory and core
# make bench-peers             times kernels against Eigen, GraphBLAS, librsb and MLIR, if installed, and loops like theirs
# make bench-graphs            times graph kernels on 1e6 to 2e7 edges, with 1 and 2 threads, against GraphBLAS and plain loops
# make bench-growth            the time per entry from 1e4 to 1e8 entries: a table and build/paper/growth.svg
# make paper                   build/paper/: tables and figures of published papers, with measurements of the kit added
# make expand                  the loops and warnings of kernel K=spmv in examples and tests, or in F=mine.c; O=out.c
# make python                  build/python/, a module of the kernels in F=kernels.c or of K='y(i) = A(i,j) * x(j)' FORMATS='A=csr'
# make install                 headers, generator, manual page, pkg-config and CMake files; PREFIX=/usr/local DESTDIR=
# make uninstall               removes what make install installed; PREFIX=/usr/local DESTDIR=
# make api                     writes docs/api.md from the comments of the headers
# make site                    build/site/index.html, the documents as static pages with a search; needs pandoc
# make playground              build/playground/index.html: the generator as a web page that needs no network; needs emscripten
# make pictures                draws docs/pictures/*.svg with the kit
# make amalgamate              build/sparse_single.h: the four headers as one
# make deps                    installs what the tests can use, on Debian, as root; the kit itself needs only a compiler
# make deps-targets            installs cross compilers and emulators of controllers
# make deps-documents          installs what make site, its tests and tests/tools.sh can use
# make deps-peers              installs what make bench-peers can use
# make deps-company            installs the libraries of the examples in docs/company.md
# make deps-playground         installs what make playground and its test need
# make sparse_gen              the generator as a program, for programs that start it without a shell
# make clean                   removes build/
#
# make help prints this list, one line for each target; tests/documents.sh compares it with .PHONY.
# make expand: O=out.c writes the file with the kernel expanded in place, for a debugger.
# make mutate: for each change, TESTS=9 runs at most nine tests, and ROUNDS=1 tries only the first set of compiler flags.
# DATA=directory: real matrices. Without them the tests that read them are skipped.

ifeq ($(origin CXX),default)
CXX      := $(if $(filter cc,$(CC)),c++,$(subst gcc,g++,$(subst clang,clang++,$(CC))))
endif
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror -DSPARSE_TERSE=0
MATRIX   := examples/data/plate.mtx
DATA     := ../shared/data
JOBS     := $(shell nproc 2>/dev/null || echo 2)
B        := build/$(notdir $(CC))
HEADERS  := $(wildcard sparse*.h)

run: $(B)/spmv $(B)/cg
	$(B)/spmv $(MATRIX)
	$(B)/cg $(MATRIX)
help:
	@sed -n 's/^# \(make [a-z_-]*  .*\)/\1/p' Makefile
spy: $(B)/files
	$(B)/files $(MATRIX) build/spy.svg

$(B)/files $(B)/reading $(B)/convolve: LINK = $(if $(wildcard $(INCLUDES)/zlib.h),-DSPARSE_ZLIB=1 -lz)
$(B)/%: examples/%.c $(HEADERS) | $(B)
	$(CC) -std=c11 -O3 $(WARNINGS) $(CFLAGS) -I. $< -o $@ -lm $(LINK)
$(B)/%: bench/%.c $(HEADERS) $(wildcard bench/*.h) | $(B)
	$(CC) -std=c11 -O3 -march=native -fopenmp $(CFLAGS) -I. $< -o $@ -lm $(LINK)
$(B):
	@mkdir -p $@

sparse_gen: sparse_gen.c $(HEADERS)
	$(CC) -std=c11 -O1 $(CFLAGS) $< -o $@ -lm

# Libraries to compare with, if they are installed: Eigen, SuiteSparse:GraphBLAS, and CXSparse for solves.
INCLUDES := $(firstword $(wildcard /usr/include /usr/local/include))
EIGEN    := $(wildcard $(INCLUDES)/eigen3)
GRAPH    := $(firstword $(wildcard $(INCLUDES)/GraphBLAS.h $(INCLUDES)/suitesparse/GraphBLAS.h))
PEERS    := $(if $(EIGEN),-DBENCH_EIGEN=1) $(if $(GRAPH),-DBENCH_GRAPHBLAS=1 $(if $(findstring suitesparse,$(GRAPH)),-I$(dir $(GRAPH))))
CXSPARSE := $(dir $(wildcard $(INCLUDES)/suitesparse/cs.h))
$(B)/solves: PEERS += $(if $(CXSPARSE),-DBENCH_CXSPARSE=1 -isystem $(CXSPARSE))
$(B)/solves: LINK = $(if $(CXSPARSE),-lcxsparse)
$(B)/convert $(B)/outputs $(B)/solves: $(B)/%: bench/%.c $(if $(EIGEN),$(B)/%_eigen.o) $(HEADERS) bench/bench.h | $(B)
	$(CC) -std=c11 -O3 -march=native -fopenmp $(PEERS) $(CFLAGS) -I. $(filter %.c %.o,$^) -o $@ \
	    $(if $(GRAPH),-lgraphblas) $(LINK) -lm $(if $(EIGEN),-lstdc++)
$(B)/%_eigen.o: bench/%_eigen.cc | $(B)
	$(CXX) -std=c++17 -O3 -march=native -I$(EIGEN) -c $< -o $@

include bench/peers/peers.mk
BENCHES := $(patsubst bench/%.c,%,$(wildcard bench/*.c))
bench: $(BENCHES:%=$(B)/%)
	@for b in $^; do $$b || exit; done
	@for b in $(wildcard bench/*.sh); do $$b $(CC) || exit; done

roofline: $(B)/roofline
	@$< build/roofline.svg
convolve: $(B)/convolve
	@DATA=$(DATA) $<
	@bench/convolve.sh $(CC)

SHOWN = $(or $(F),$(firstword $(shell grep -ls 'SPARSE_KERNEL.$(K),' examples/*.c tests/*.c tests/*/*.c bench/*)))
expand:
	@$(if $(K),,$(error make expand K=kernel [F=file.c] [O=out.c]))
	@$(if $(SHOWN),,$(error no kernel $(K) in examples and tests; name its file: F=file.c))
	@CC="$(CC)" tests/expand.sh $(if $(O),-o $(O)) $(SHOWN) $(K)
	@./sparse_gen.c --lint $(SHOWN) | grep ': $(K): ' >&2 || :

python: N = $(basename $(notdir $(F)))
python:
	@$(if $(F)$(K),,$(error make python F=kernels.c, or K='y(i) = A(i,j) * x(j)' FORMATS='A=csr'))
	@mkdir -p build/python
	$(if $(K),CC='$(CC)' CFLAGS='$(WARNINGS) $(CFLAGS)' ./sparse_gen.c '$(K)' $(FORMATS:%=-f %) --python -w build/python/kernel.py)
	$(if $(K),,$(CC) -std=c11 -O3 -march=native -fPIC -shared $(WARNINGS) $(CFLAGS) -I. -Iexamples/company $F -o build/python/lib$N.so -lm)
	@$(if $(K),,cp examples/company/kit.py build/python)
	@$(if $(K),,sed 's/@NAME@/$N/' examples/company/module.py.in > build/python/$N.py)

# Installing. CMakeLists.txt must install the same files: tests/packaging.sh compares the two.
PREFIX   := /usr/local
VERSION  := $(subst $(eval) ,.,$(strip $(shell sed -n 's/.define SPARSE_VERSION_[MP][A-Z]* //p' sparse_formats.h)))
FILL      = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|'
INSTALLED = $(addprefix $(DESTDIR)$(PREFIX)/,include/sparse bin/sparse_gen share/pkgconfig/sparse.pc share/cmake/sparse \
            share/man/man1/sparse_gen.1 share/bash-completion/completions/sparse_gen share/doc/sparse-kit share/sparse-kit)
install: D = $(DESTDIR)$(PREFIX)
install:
	install -d $(D)/bin $(addprefix $(D)/share/,pkgconfig cmake/sparse man/man1 bash-completion/completions doc/sparse-kit/docs/howto doc/sparse-kit/docs/pictures sparse-kit/python sparse-kit/gdb)
	install -d $(D)/include/sparse
	$(CC) -std=c11 -O2 $(CFLAGS) -DSPARSE_GEN_HEADERS='"$(PREFIX)/include/sparse"' sparse_gen.c -o $(D)/bin/sparse_gen -lm
	install -m 644 $(HEADERS) $(D)/include/sparse
	$(FILL) docs/install/sparse.pc.in > $(D)/share/pkgconfig/sparse.pc
	install -m 644 docs/install/sparseConfig.cmake $(D)/share/cmake/sparse
	$(FILL) docs/install/sparseConfigVersion.cmake.in > $(D)/share/cmake/sparse/sparseConfigVersion.cmake
	$(D)/bin/sparse_gen --help | awk -v version=$(VERSION) -f docs/install/manual.awk > $(D)/share/man/man1/sparse_gen.1
	install -m 644 docs/install/sparse_gen.bash $(D)/share/bash-completion/completions/sparse_gen
	install -m 644 README.md CHANGELOG.md LICENSE $(D)/share/doc/sparse-kit
	install -m 644 docs/*.md $(D)/share/doc/sparse-kit/docs
	install -m 644 docs/howto/*.md $(D)/share/doc/sparse-kit/docs/howto
	install -m 644 docs/install/sparse.cfg $(D)/share/sparse-kit
	install -m 644 docs/pictures/*.svg $(D)/share/doc/sparse-kit/docs/pictures
	install -m 644 $(addprefix examples/company/,kit.py module.py.in module.sh python.awk python.h) $(D)/share/sparse-kit/python
	install -m 644 docs/install/sparse_gdb.py $(D)/share/sparse-kit/gdb
uninstall:
	rm -rf $(INSTALLED)

api:
	awk -f docs/api.awk sparse_formats.h sparse_io.h > docs/api.md

site:
	@docs/site/make.sh
pictures:
	@CC="$(CC)" docs/pictures/make.sh docs/pictures

# The playground: the generator and the kit as WebAssembly, compiled by emscripten, next to the page. wasm.js holds the module
# as base64 text, because a page opened as a file may not read other files. helpers.h lists the functions that kernels call.
PAGE := $(addprefix build/playground/,index.html style.css steps.js playground.js)
playground: $(PAGE) build/playground/wasm.js
$(PAGE): build/playground/%: docs/playground/%
	@mkdir -p $(@D)
	cp $< $@
build/playground/helpers.h: sparse.h sparse_formats.h sparse_lattice.h
	@mkdir -p $(@D)
	printf '#include "sparse.h"\n' | emcc -std=c11 -E -P -x c -I. - | tr '\n' ' ' | grep -o 'sparse_[a-z_0-9]*([^(){};]*) *{' | \
	    sed 's/(.*//;s/.*/HELPER(&)/' | sort -u > $@
build/playground/%.o: docs/playground/%.c docs/playground/preprocess.h build/playground/helpers.h sparse_gen.c $(HEADERS)
	emcc -std=c11 -O2 -Wno-constant-conversion -I. -Ibuild/playground -c $< -o $@
build/playground/wasm.js: build/playground/playground.o build/playground/preprocess.o
	emcc -O1 $^ -o build/playground/module.js -s MODULARIZE=1 -s EXPORT_NAME=sparse_module -s INVOKE_RUN=0 \
	    -s ALLOW_MEMORY_GROWTH=1 -s ENVIRONMENT=web -s EXPORTED_RUNTIME_METHODS=callMain,UTF8ToString -s EXPORTED_FUNCTIONS=_main,_malloc \
	    $(foreach h,$(HEADERS),--embed-file $h@/$h)
	{ printf 'const sparse_wasm = "'; base64 -w0 build/playground/module.wasm; printf '";\n'; } > $@

# The four headers in one file. With SPARSE_FREESTANDING it leaves out sparse_io.h, which needs stdio.
amalgamate: build/sparse_single.h
build/sparse_single.h: $(HEADERS)
	@mkdir -p $(@D)
	@{ echo "/* sparse $(VERSION) in one file: sparse_formats.h, sparse_lattice.h, sparse.h, sparse_io.h. */" && \
	    cat sparse_formats.h sparse_lattice.h sparse.h && echo "#if !SPARSE_FREESTANDING" && cat sparse_io.h && echo "#endif"; } | \
	    sed '/^#include "sparse/d' > $@

# Tests. A configuration is a compiler command: compile_O3 and so on, below.
#
# `make test-all` runs every test_*.c in every configuration, and test_*.cc in cxx. It compiles all kernels of
# tests/generate_kernels.c in sanitized and O3, and a share of them in each other configuration.
#
# `make test` takes about ten minutes. It runs these tests in each configuration (units_NAME):
#
#   sanitized  no optimization, address and undefined-behaviour sanitizers;            all but threads and one file on sums
#              a cache of one byte, so that loops prefetch rows without the word
#   O3         vector instructions, as users compile                                   most tests that run loops; conversions
#   m32        size_t and pointers of 32 bits, optimized                               storage, files, conversions
#   cxx        C++                                                                     those that m32 does not run, but threads
#   openmp     parallel loops                                                          those with parallel loops
#   Os         small code: rows are converted as on controllers                        conversions, storage
#   O0, O1     as sanitized without the sanitizers; as m32 with 64 bits                none
#
# It also compiles a part of each family of generated kernels, another part in each configuration (list_slices of
# tests/generate_kernels.c). It saves time in four more ways:
# - Each configuration compiles the storage functions once and links them to the generated kernels and to all tests but
#   INSIDE. In `make test-all` each test compiles them itself, as most users do.
# - Scripts get $DAY and run a part of their checks; the head of each script says which.
# - The sanitizer does not check for null pointers and object sizes, as the address sanitizer reports them as well. Those
#   checks take a third of the compilation time.
# - The scripts in APART, about other machines, other libraries and benchmarks, do not run. `make test WITH="bench company"`
#   runs them.
# The files $(B)/day and $(B)/day_all say which of the two ran last: a log of `make test` does not count in `make test-all`.
CONFIGURATIONS := O0 O1 Os O3 sanitized m32 openmp cxx
UNITS   := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
UNITSXX := $(patsubst tests/%.cc,%,$(wildcard tests/test_*.cc))
units_sanitized := $(filter-out %_threads $(if $(findstring clang,$(CC)),%_sums_in_3d,%_sums_with_coefficients),$(UNITS))
units_O3        := $(filter %_conversions %_kernels %_layouts %_sums_beside_others %_sums_into_sparse %_strategies test_sums \
                            test_workspaces,$(UNITS))
units_m32       := $(filter %_arrays %_conversions %_encodings %_files %_fuzz %_io %_reading %_storage test_sums %_values,$(UNITS))
units_cxx       := $(filter-out $(units_m32) %_threads,$(UNITS))
units_Os        := $(filter %_conversions %_storage,$(UNITS))
units_openmp    := $(filter %_outputs %_reading %_strategies %_threads %_workspaces,$(UNITS))
# These compile their own storage functions: they use private names, or have options or level types of their own.
INSIDE  := %_binsparse %_conversions %_files %_fuzz %_io %_levels %_reading %_threads
APART   := bench big_endian company mpi packaging sizes targets
LEAN           := $(shell $(CC) -ftrack-macro-expansion=0 -E -x c /dev/null >/dev/null 2>&1 && echo -ftrack-macro-expansion=0)
C              := $(CC) -std=c11 $(WARNINGS) $(LEAN)
compile_O0        = $(C) -O0
compile_O1        = $(C) -O1
compile_Os        = $(C) -Os -DSPARSE_P_ROW_LOOPS=0
compile_O3        = $(C) -O3 -march=native
compile_sanitized = $(C) -DSPARSE_CACHE=1 -g1 -fsanitize=address,undefined $(if $(ALL),,-fno-sanitize=null,object-size) -fno-sanitize-recover=all
compile_m32       = $(C) -O1 -m32 -msse2 -mfpmath=sse
compile_openmp    = $(C) -O1 -fopenmp
compile_cxx       = $(CXX) -std=c++17 $(WARNINGS) $(LEAN) -O0 -x c++

SCRIPTS := $(filter-out check expand mutate quiet stages $(if $(ALL),,$(filter-out $(WITH),$(APART))),\
                        $(patsubst tests/%.sh,%,$(wildcard tests/*.sh)))
SLICES  := $(shell cat $(B)/slices$(ALL) 2>/dev/null)
LOGS    := $(SCRIPTS:%=$(B)/%.log) $(patsubst tests/%.c,$(B)/%.log,$(wildcard tests/generate_kernels.c)) \
           $(foreach c,$(CONFIGURATIONS),$(patsubst %,$(B)/$c/%.log,$(if $(ALL),$(UNITS),$(units_$c)))) $(UNITSXX:%=$(B)/cxx/%.log) \
           $(SLICES:%=$(B)/%.log)
AGAIN   := $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))
MINUTES := $(if $(ALL),well over 20,about 10)

test-all:
	@$(MAKE) --no-print-directory test ALL=_all
test: | $(B)
	@echo "$(if $(ALL),all tests,the tests) with $(CC): $(MINUTES) minutes on two cores," \
	    "and up to 1 GB of memory for each of $(JOBS) processes"
	@test -e $(B)/day$(ALL) || { find $(B) -name '*.log' | xargs -r rm -f; rm -f $(B)/day*; : > $(B)/day$(ALL); }
	@find $(B) -name '*.log' | xargs -r grep -LE ': [0-9]+ passed, 0 failed$$' | xargs -r rm -f
	@$(AGAIN) $(filter %/generate_kernels.log,$(LOGS))
	@$(AGAIN) logs
	@$(AGAIN) sum
# Waiting threads sleep, so that other tests can use the core.
logs: export OMP_WAIT_POLICY = passive
logs: $(LOGS)
sum:
	@tests/check.sh -s $(LOGS)
times:
	@tests/check.sh -t $(basename $(wildcard $(LOGS:=.seconds)))

CHECK = tests/check.sh $@ sh -c
$(B)/generate_kernels.log: tests/generate_kernels.c tests/lines.h | $(B)
	@$(CHECK) '$(C) -O1 $< -o $(@:.log=) && $(@:.log=) --list > $(B)/slices && \
	    $(@:.log=) --list all > $(B)/slices_all && echo "generate_kernels: 1 passed, 0 failed"'
define rules
$(B)/$1/test_files.log $(B)/$1/test_fuzz.log: LINK = $$$$(cat $(B)/$1/zlib)
$(B)/$1/test_files.log $(B)/$1/test_fuzz.log: | $(B)/$1/zlib
$(B)/$1/test_binsparse.log: LINK = $$$$(cat $(B)/$1/hdf5)
$(B)/$1/test_binsparse.log: | $(B)/$1/hdf5
$(B)/$1/%.log: tests/%.c $(B)/$1/storage.o $(wildcard tests/*.h)
	@$$(CHECK) '$$(compile_$1) -I. -Itests $$< $$(if $(ALL)$$(filter $(INSIDE),$$*),,-DSPARSE_DECLARE -x none $$(word 2,$$^)) \
	    -o $$(@:.log=) -lm $$(LINK) && SPARSE_DATA=$(DATA) $$(@:.log=)'
$(B)/$1/%.log: tests/%.cc $(HEADERS) $(wildcard tests/*.h) | $(B)/$1/probe
	@$$(CHECK) '$$(compile_$1) -I. -Itests $$< -o $$(@:.log=) -lm && SPARSE_DATA=$(DATA) $$(@:.log=)'
$(B)/$1/kernels_%.log: $(B)/generate_kernels.log $(B)/$1/storage.o $(wildcard tests/*.h)
	@$$(CHECK) '$(B)/generate_kernels $$* > $$(@:.log=.c) && $$(compile_$1) -DSPARSE_DECLARE -I. -Itests $$(@:.log=.c) \
	    -x none $(B)/$1/storage.o -o $$(@:.log=) -lm && $$(@:.log=)'
# the storage functions, compiled once for this configuration
$(B)/$1/storage.o: $(HEADERS) | $(B)/$1/probe
	@printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' > $$(@:.o=.c)
	@test -e $$(@D)/cannot && touch $$@ || $$(compile_$1) -I. -c $$(@:.o=.c) -o $$@
$(B)/$1/probe:
	@mkdir -p $$(@D) && rm -f $$(@D)/cannot && echo 'int main(void) { return 0; }' > $$@.c
	@($$(compile_$1) $$@.c -o $$@ && $$@) > /dev/null 2>&1 || \
	    echo 'as `$$(compile_$1)` does not work here' | tee $$(@D)/cannot > $$@
# the flags for zlib; empty if it is missing
$(B)/$1/zlib: | $(B)/$1/probe
	@printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' > $$@.c
	@$$(compile_$1) $$@.c -o $$@.out -lz > /dev/null 2>&1 && echo '-DSPARSE_ZLIB=1 -lz' > $$@ || : > $$@
# the flags for HDF5; empty if it is missing. Debian keeps the serial library in a directory of its own.
$(B)/$1/hdf5: | $(B)/$1/probe
	@printf '#include <hdf5.h>\nint main(void) { return H5open() < 0; }\n' > $$@.c
	@: > $$@; for flags in '-isystem /usr/include/hdf5/serial -lhdf5_serial' -lhdf5; do test -s $$@ || \
	    { $$(compile_$1) $$@.c -o $$@.out $$$$flags > /dev/null 2>&1 && $$@.out && echo "-DSPARSE_HDF5=1 $$$$flags" > $$@; } || :; done
endef
$(foreach c,$(CONFIGURATIONS),$(eval $(call rules,$c)))

$(B)/%.log: tests/%.sh $(HEADERS) $(wildcard README.md docs/* docs/*/* sparse_gen.c tests/*.* examples/* examples/*/* tests/*/*) | $(B)
	@CC='$(CC)' CXX='$(CXX)' WARNINGS='$(WARNINGS)' SPARSE_DATA='$(DATA)' DAY='$(if $(ALL),,1)' STORAGE=$(B)/sanitized/storage.o \
	    tests/check.sh $@ bash $<
$(B)/examples.log: $(B)/sanitized/storage.o

# build/fuzz keeps the inputs that were found; the next run tries them first.
fuzz:
	@mkdir -p build/fuzz
	clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DFUZZER=1 $(CFLAGS) -I. -Itests \
	    tests/test_fuzz.c -o build/fuzz/fuzz $(if $(wildcard $(INCLUDES)/zlib.h),-DSPARSE_ZLIB=1 -lz) -lm
	@for kind in $(or $(KINDS),$$(build/fuzz/fuzz)); do mkdir -p build/fuzz/$$kind && \
	    FUZZ=$$kind FUZZ_SECONDS=$(or $(SECONDS),10) build/fuzz/fuzz -max_len=4096 -timeout=60 \
	        -artifact_prefix=build/fuzz/$$kind- build/fuzz/$$kind > build/fuzz/$$kind.log 2>&1 && tail -n 1 build/fuzz/$$kind.log || \
	    { tail -n 40 build/fuzz/$$kind.log; exit 1; }; done
mutate:
	@CC='$(CC)' SPARSE_DATA='$(abspath $(DATA))' tests/mutate.sh $(or $(SEED),1) $(or $(COUNT),10) $(FILES)

sizes:
	@tests/sizes.sh all
stack:
	@tests/stack.sh
targets:
	@tests/targets.sh $(ONLY)
embedded: T = build/embedded
embedded:
	@mkdir -p $T
	@status=0; for what in 'sizes all' stack targets; do set -- $$what; \
	    { tests/$$1.sh $$2 || echo "$$1: failed"; } | tee $T/$$1; ! grep -q ': failed$$' $T/$$1 || status=1; done; \
	    tests/targets/goals.sh $T/sizes $T/stack $T/targets && exit $$status

deps:
	apt-get install -y -q gcc g++ gcc-multilib g++-multilib clang libclang-rt-14-dev libomp-dev clang-format \
	    qemu-user libc6-dev-s390x-cross libgcc-12-dev-s390x-cross binutils-s390x-linux-gnu gcc-avr avr-libc simavr \
	    libeigen3-dev libsuitesparse-dev libgraphblas-dev zlib1g-dev libhdf5-dev python3-h5py gzip gdb valgrind
deps-targets:
	apt-get install -y -q --no-install-recommends gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-riscv64-unknown-elf \
	    picolibc-riscv64-unknown-elf qemu-system-arm qemu-system-misc libgcc-12-dev-powerpc-cross libc6-dev-powerpc-cross \
	    binutils-powerpc-linux-gnu
deps-documents:
	apt-get install -y -q --no-install-recommends pandoc chromium nodejs clang-tidy clangd cppcheck
deps-company:
	apt-get install -y -q --no-install-recommends cmake pkg-config dpkg-dev man-db groff libeigen3-dev \
	    libsuitesparse-dev libgraphblas-dev libopenblas-dev python3-scipy python3-sparse libopenmpi-dev openmpi-bin libpetsc-real-dev
deps-playground:
	apt-get install -y -q --no-install-recommends emscripten nodejs chromium
clean:
	rm -rf build

.PHONY: help api site pictures playground python targets sizes stack embedded install uninstall amalgamate run spy bench roofline convolve expand test test-all fuzz mutate \
        times deps deps-targets deps-documents deps-company deps-playground clean
.PHONY: logs sum
