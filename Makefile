# make run                     the main job: a stiffness matrix from a file, multiplied and solved; MATRIX=file.mtx
# make help                    this list
# make spy                     build/spy.svg, a picture of the nonzeros of MATRIX=file.mtx.gz
# make test                    the tests of a day's work; CC=clang for clang
# make test-all                all tests; CC=clang for clang
# make times                   what each of the tests took of the processors when it ran last
# make fuzz                    damaged files of every kind, as libFuzzer of clang finds them; SECONDS=10 KINDS="npz gz"
# make mutate                  how many single changes of the code the tests find; SEED=1 COUNT=10 FILES=sparse.h
# make sizes                   the bytes of one kernel on each target, with and without checks
# make stack                   the stack that each public function takes on a Cortex-M4
# make embedded                every table of docs/embedded.md, and goals for controllers beside their figures
# make targets                 the canonical kernels on emulated controllers and other machines; ONLY="m0 s390x"
# make bench                   kernels against the best loops that we could write by hand
# make convolve                kernels read at sums of indices, against dense loops and the forms of TACO-UCF and MLIR
# make roofline                build/roofline.svg: kernels below the ceilings that memory and the core set, measured
# make bench-peers             against Eigen, GraphBLAS, librsb, MLIR, those that are there, and loops in their form
# make bench-graphs            graph kernels of 1e6 to 2e7 edges, with one thread and with two, beside GraphBLAS and loops
# make bench-growth            the time per entry from 1e4 to 1e8 entries: a table and build/paper/growth.svg
# make paper                   the tables and figures of the documents, with ours beside them: build/paper/
# make expand                  the loops and warnings of kernel K=spmv, of an example or test, or of F=mine.c; O=out.c
# make python                  build/python/, a module of the kernels in F=kernels.c, or of K='y(i) = A(i,j) * x(j)' FORMATS='A=csr'
# make install                 headers, generator, manual page, pkg-config and CMake files; PREFIX=/usr/local DESTDIR=
# make uninstall               removes what make install installed; PREFIX=/usr/local DESTDIR=
# make api                     docs/api.md, from the comments of the headers
# make site                    build/site/index.html, the documents as static pages with a search; needs pandoc
# make playground              build/playground/index.html: the generator as a web page, which works without a network (emscripten)
# make pictures                docs/pictures/*.svg, as the kit draws them
# make amalgamate              build/sparse_single.h: the four headers as one
# make deps                    installs what the tests can use, on Debian (as root); the kit itself needs a compiler
# make deps-targets            installs the compilers and emulators of controllers
# make deps-documents          installs what make site and its tests, and the tests of other tools, can use
# make deps-peers              installs what make bench-peers can use
# make deps-company            installs the libraries of the examples in docs/company.md
# make deps-playground         installs what make playground and its test need
# make sparse_gen              the generator as a program, for who starts it without a shell
# make clean                   removes build/
#
# A target stands in this list with one line, which make help prints; tests/documents.sh compares the list with .PHONY.
# make expand: O=out.c writes the file with the kernel expanded in place, for a debugger.
# make mutate: ROUNDS=1 TESTS=9 bound how often and how many tests run for each change.
# DATA=directory: real matrices for the tests, skipped if they are not there.

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

# Libraries to compare with take part if they are there: Eigen, SuiteSparse:GraphBLAS, and CXSparse for solves.
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

# Installing. CMakeLists.txt installs the same files; tests/packaging.sh compares.
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

# The generator and the kit as WebAssembly, compiled by emscripten, beside the page. The module stands in a script, as text,
# because a page that is opened as a file may not read others. helpers.h has the functions that kernels call.
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

# One file in place of four. What needs stdio is left out where there is no library.
amalgamate: build/sparse_single.h
build/sparse_single.h: $(HEADERS)
	@mkdir -p $(@D)
	@{ echo "/* sparse $(VERSION) in one file: sparse_formats.h, sparse_lattice.h, sparse.h, sparse_io.h. */" && \
	    cat sparse_formats.h sparse_lattice.h sparse.h && echo "#if !SPARSE_FREESTANDING" && cat sparse_io.h && echo "#endif"; } | \
	    sed '/^#include "sparse/d' > $@

# Tests. A configuration is a compiler command. In `make test-all` every test_*.c runs in all of them, test_*.cc in that
# of C++, and some kernels of each family of tests/generate_kernels.c, which two of them compile all. `make test` is what
# takes about ten minutes: every test_*.c in the one that sees most, and in one with other sizes or another language,
#
#   sanitized  without optimization: what goes outside of memory, or is undefined      all but threads and some sums (clang: others)
#              with a cache of one byte, so that loops ask for rows ahead without the word
#   O3         with vector instructions, as users compile                              what runs loops, most of it; what converts
#   m32        size_t and pointers of 32 bits, optimized                               what stores, reads and converts
#   cxx        C++                                                                     the others, but threads
#   openmp     loops in parallel                                                       what runs such loops
#   Os         what is made small: rows converted as controllers do                   kernels, what converts
#   O0, O1     sanitized without the sanitizers; m32 in 64 bits                        none
#
# and of each family of kernels different ones in four of these (list_slices of tests/generate_kernels.c). These, and the
# tests that need no more than what is public, are linked with storage that each configuration compiles once; in
# `make test-all` they compile it with themselves, as most users do. Scripts do their part of a day ($DAY), which each says
# at its top; what the sanitizer of addresses sees anyway is not looked for twice, which is a third of what compilers take;
# and what is about other machines, other libraries and benchmarks (APART) waits for `make test-all`, or
# `make test WITH="bench company"`. What one of the two left ($(B)/day, $(B)/day_all) does not count for the other.
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
# compile their own storage: they look inside, or have options or level types of their own
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
# threads that wait leave the core to other tests
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
# what is linked with these
$(B)/$1/storage.o: $(HEADERS) | $(B)/$1/probe
	@printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' > $$(@:.o=.c)
	@test -e $$(@D)/cannot && touch $$@ || $$(compile_$1) -I. -c $$(@:.o=.c) -o $$@
$(B)/$1/probe:
	@mkdir -p $$(@D) && rm -f $$(@D)/cannot && echo 'int main(void) { return 0; }' > $$@.c
	@($$(compile_$1) $$@.c -o $$@ && $$@) > /dev/null 2>&1 || \
	    echo 'as `$$(compile_$1)` does not work here' | tee $$(@D)/cannot > $$@
# what makes zlib take part, where it is there
$(B)/$1/zlib: | $(B)/$1/probe
	@printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' > $$@.c
	@$$(compile_$1) $$@.c -o $$@.out -lz > /dev/null 2>&1 && echo '-DSPARSE_ZLIB=1 -lz' > $$@ || : > $$@
# and the library of HDF5, which Debian has apart from those of MPI
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

# What is found is kept in build/fuzz, and tried again first.
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
# every table of docs/embedded.md, and the goals for controllers
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
