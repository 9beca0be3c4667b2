/* roofline.c: compares the speed of kernels with the limits of one core of this machine.

   The intensity of a kernel is its number of operations divided by the bytes of its operands. It can do at most intensity *
   bandwidth operations a second, and at most the peak of the core. These two limits have the outline of a roof: a kernel
   below the sloping part waits for memory, a kernel below the flat part for the core. Each array of the operands and of the
   output counts once. If caches evict data, they are read more than once, and the point of the kernel is lower.

       roofline [FILE.svg]     the table, and the picture; build/roofline.svg if no file is named

   Contents (search for the anchors)
     >>ceilings   bandwidth and peak
     >>kernels    the kernels and their operands
     >>picture    the plot */
#include "bench.h"
#include "sparse.h"

enum { COLUMNS = 32, DEPTH = 64, SERIES = 20 };

static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "roofline: %s\n", sparse_explain(r));
    exit(2);
}

/* Repeats a run for half a second, at least three times; returns the shortest, in CPU time of this thread. */
static double shortest(void (*run)(void *), void *context)
{
    double least = HUGE_VAL, spent = 0;
    for (unsigned round = 0; round < 3 || (spent < 0.5 && !bench_is_quick()); round++) {
        const double begin = bench_clock(CLOCK_THREAD_CPUTIME_ID);
        run(context);
        const double time = fmax(bench_clock(CLOCK_THREAD_CPUTIME_ID) - begin, 1e-9);
        least = fmin(least, time);
        spent += time;
    }
    return least;
}

/* >>ceilings */
typedef struct block {
    double *x;
    size_t length, times;
    double sum;
} block;

/* Adds up a block, in many sums at a time, which gcc and clang keep in vector registers. */
static void read_block(void *context)
{
    block *b = (block *)context;
    double sum[32] = {0};
    for (size_t n = 0; n < b->times; n++)
        for (size_t k = 0; k < b->length; k += 32)
            for (size_t l = 0; l < 32; l++) sum[l] += b->x[k + l];
    for (size_t l = 0; l < 32; l++) b->sum += sum[l];
}
/* Multiplies and adds numbers in registers, with enough independent operations to hide the latency of the core. */
static void compute_block(void *context)
{
    block *b = (block *)context;
    double sum[64];
    const double a = b->x[0], c = b->x[1];
    for (size_t l = 0; l < 64; l++) sum[l] = b->x[l];
    for (size_t n = 0; n < b->times; n++)
        for (size_t l = 0; l < 64; l++) sum[l] = sum[l] * a + c;
    for (size_t l = 0; l < 64; l++) b->sum += sum[l];
}
/* Adds one number after another, as the sum of a row does unless `simd` allows another order. */
static void add_block(void *context)
{
    block *b = (block *)context;
    for (size_t n = 0; n < b->times; n++)
        for (size_t k = 0; k < b->length; k++) b->sum += b->x[k];
}

typedef struct machine {
    double memory, cache, peak, chain; /* bytes or operations per second; chain: two operations for each dependent addition */
} machine;

/* Measures the ceilings. A higher value from an earlier call is kept, because other programs use the memory, too. */
static void measure_machine(machine *m)
{
    const size_t large = bench_size((size_t)1 << 26, 1 << 12), small = bench_size(1 << 15, 1 << 10);
    block b = {bench_dense(large, 1), large, 1, 0};
    m->memory = fmax(m->memory, (double)(8 * large) / shortest(read_block, &b));
    b.length = small;
    b.times = bench_size(1000, 1);
    m->cache = fmax(m->cache, (double)(8 * small * b.times) / shortest(read_block, &b));
    b.length = 1024;
    m->chain = fmax(m->chain, 2 * (double)(b.length * b.times) / shortest(add_block, &b));
    b.times = bench_size(10000000, 100);
    m->peak = fmax(m->peak, 128 * (double)b.times / shortest(compute_block, &b));
    free(b.x);
}

/* >>kernels */
#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define LIST list, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define BSR  bsr, SPARSE_BSR(4, 4), double, 32, 32
#define DIA  dia, SPARSE_DIA_BLOCKS(512), double, 32, 32
#define CSB  csb, SPARSE_CSB(65536), double, 32, 16
#define CSF  csf, SPARSE_CSF_3D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(LIST)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(CSB)
SPARSE_TENSOR(CSF)

SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_simd, (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bsr, (floordiv(i, 4), prefetch(floordiv(j, 4)), mod(i, 4), mod(j, 4)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dia, (floordiv(i, 512), minus(j, i), mod(i, 512)), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)),
              y += A * x)
SPARSE_KERNEL(spmv_csb, (floordiv(i, 65536), floordiv(j, 65536), mod(i, 65536), mod(j, 65536)), (y, VEC, i),
              all((A, CSB, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmm, (i, j, k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(sddmm, (i, j, simd(k)), (B, CSR, i, j), all((A, CSR, i, j), (X, MAT, i, k), (Z, MAT, j, k)), B += A * X * Z)
SPARSE_KERNEL(ttv, (i, j, k), (Y, MAT, i, j), all((T, CSF, i, j, k), (x, VEC, k)), Y += T * x)
SPARSE_KERNEL(mttkrp, (i, j, k, r), (Y, MAT, i, r), all((T, CSF, i, j, k), (X, MAT, j, r), (Z, MAT, k, r)), Y += T * X * Z)
SPARSE_KERNEL(dot, (i), (s, double), all((a, LIST, i), (b, LIST, i)), s += a * b)
SPARSE_KERNEL(add_lists, (i), (s, double), any((a, LIST, i), (b, LIST, i)), s += a + b)
SPARSE_KERNEL(add, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(product, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)

typedef struct data {
    csr uniform, band, blocks, small, other, made;
    bsr in_blocks;
    dia diagonals;
    csb grid;
    csf T;
    list a, b;
    vec x, y;
    mat X, Z, Y;
    double s;
} data;

static void run_uniform(void *d_) { data *d = d_; check(spmv(&d->y, &d->uniform, &d->x)); }
static void run_grid(void *d_) { data *d = d_; check(spmv_csb(&d->y, &d->grid, &d->x)); }
static void run_band(void *d_) { data *d = d_; check(spmv(&d->y, &d->band, &d->x)); }
static void run_band_simd(void *d_) { data *d = d_; check(spmv_simd(&d->y, &d->band, &d->x)); }
static void run_diagonals(void *d_) { data *d = d_; check(spmv_dia(&d->y, &d->diagonals, &d->x)); }
static void run_blocks(void *d_) { data *d = d_; check(spmv_bsr(&d->y, &d->in_blocks, &d->x)); }
static void run_spmm(void *d_) { data *d = d_; check(spmm(&d->Y, &d->small, &d->X)); }
static void run_sddmm(void *d_) { data *d = d_; check(sddmm(&d->made, &d->small, &d->X, &d->Z)); }
static void run_ttv(void *d_) { data *d = d_; check(ttv(&d->Y, &d->T, &d->x)); }
static void run_mttkrp(void *d_) { data *d = d_; check(mttkrp(&d->Y, &d->T, &d->X, &d->Z)); }
static void run_dot(void *d_) { data *d = d_; check(dot(&d->s, &d->a, &d->b)); }
static void run_add_lists(void *d_) { data *d = d_; check(add_lists(&d->s, &d->a, &d->b)); }
static void run_add(void *d_) { data *d = d_; check(add(&d->made, &d->small, &d->other)); }
static void run_product(void *d_) { data *d = d_; check(product(&d->made, &d->small, &d->other)); }

typedef struct point {
    const char *name;
    double intensity, speed; /* operations per byte, operations per second */
} point;

static point points[SERIES];
static size_t count;

static void add_point(const char *name, void (*run)(void *), data *d, double operations, size_t bytes)
{
    points[count++] = (point){name, operations / (double)bytes, operations / shortest(run, d)};
}
static void print(const machine *m)
{
    printf("memory %.3g GB/s, cache %.3g GB/s, vectors %.3g GFLOP/s, one addition after another %.3g GFLOP/s\n",
           m->memory / 1e9, m->cache / 1e9, m->peak / 1e9, m->chain / 1e9);
    printf("    %-34s %12s %10s %10s\n", "kernel", "FLOP/byte", "GFLOP/s", "of roof");
    for (size_t k = 0; k < count; k++)
        printf("%2zu  %-34s %12.3f %10.2f %9.0f%%\n", k + 1, points[k].name, points[k].intensity, points[k].speed / 1e9,
               100 * points[k].speed / fmin(m->peak, points[k].intensity * m->memory));
}

static void borrow(sparse_tensor *t, const bench_csr *m)
{
    const size_t entries = bench_csr_entries(m);
    check(sparse_assemble(t, (size_t[]){m->rows, m->columns},
                          &(sparse_arrays){.pos[1] = SPARSE_ARRAY(m->pos, m->rows + 1),
                                           .crd[1] = SPARSE_ARRAY(m->crd, entries),
                                           .val = SPARSE_ARRAY(m->val, entries)},
                          SPARSE_BORROW, NULL));
}
static void dense(sparse_tensor *t, size_t rows, size_t columns)
{
    bench_random r = {rows + columns};
    sparse_free(t);
    check(sparse_allocate_dense(t, (size_t[]){rows, columns}));
    for (size_t k = 0; k < rows * columns; k++) ((double *)t->val.at)[k] = bench_value(&r);
}
static void sparse_vector(list *to, bench_vector *v, size_t size)
{
    check(sparse_assemble(&to->t, &size,
                          &(sparse_arrays){.pos[0] = SPARSE_ARRAY(v->pos, 2),
                                           .crd[0] = SPARSE_ARRAY(v->crd, v->entries),
                                           .val = SPARSE_ARRAY(v->val, v->entries)},
                          SPARSE_BORROW, NULL));
}

static void products_with_vectors(data *d)
{
    const size_t n = bench_size(1000000, 400);
    bench_csr uniform = bench_uniform(n, 16, 1), band = bench_banded(n, 8, 2), blocks = bench_blocks(n / 8 * 4, 4, 8, 3);
    borrow(&d->uniform.t, &uniform);
    borrow(&d->band.t, &band);
    borrow(&d->blocks.t, &blocks);
    check(sparse_convert(&d->grid.t, &d->uniform.t));
    check(sparse_convert(&d->diagonals.t, &d->band.t));
    check(sparse_convert(&d->in_blocks.t, &d->blocks.t));
    dense(&d->x.t, n, 1);
    const size_t vectors = 2 * sparse_bytes(&d->x.t);
    const double of_uniform = 2 * (double)bench_csr_entries(&uniform), of_band = 2 * (double)bench_csr_entries(&band);
    add_point("SpMV, CSR, random columns", run_uniform, d, of_uniform, sparse_bytes(&d->uniform.t) + vectors);
    add_point("SpMV, CSB, random columns", run_grid, d, of_uniform, sparse_bytes(&d->grid.t) + vectors);
    add_point("SpMV, CSR, band", run_band, d, of_band, sparse_bytes(&d->band.t) + vectors);
    add_point("SpMV, CSR, band, simd", run_band_simd, d, of_band, sparse_bytes(&d->band.t) + vectors);
    add_point("SpMV, blocks of diagonals, band", run_diagonals, d, of_band, sparse_bytes(&d->diagonals.t) + vectors);
    dense(&d->x.t, d->blocks.t.dim[1], 1);
    sparse_free(&d->y.t);
    add_point("SpMV, BSR 4 x 4", run_blocks, d, 2 * (double)bench_csr_entries(&blocks),
              sparse_bytes(&d->in_blocks.t) + 2 * sparse_bytes(&d->x.t));
    sparse_free(&d->uniform.t), sparse_free(&d->band.t), sparse_free(&d->blocks.t);
    sparse_free(&d->grid.t), sparse_free(&d->diagonals.t), sparse_free(&d->in_blocks.t);
    bench_csr_free(&uniform), bench_csr_free(&band), bench_csr_free(&blocks);
}

/* The number of multiplications of a matrix product. */
static double pairs(const bench_csr *a, const bench_csr *b)
{
    double n = 0;
    for (size_t p = 0; p < bench_csr_entries(a); p++) n += b->pos[a->crd[p] + 1] - b->pos[a->crd[p]];
    return n;
}

static void products_with_matrices(data *d)
{
    const size_t n = bench_size(20000, 200);
    bench_csr small = bench_uniform(n, 16, 4), other = bench_uniform(n, 16, 5);
    const double entries = (double)bench_csr_entries(&small);
    borrow(&d->small.t, &small);
    borrow(&d->other.t, &other);
    const size_t bytes = sparse_bytes(&d->small.t), both = bytes + sparse_bytes(&d->other.t);
    dense(&d->X.t, n, COLUMNS);
    add_point("SpMM, 32 columns", run_spmm, d, 2 * COLUMNS * entries, bytes + 2 * sparse_bytes(&d->X.t));
    dense(&d->X.t, n, DEPTH);
    dense(&d->Z.t, n, DEPTH);
    check(sddmm(&d->made, &d->small, &d->X, &d->Z));
    add_point("SDDMM, depth 64, simd", run_sddmm, d, 2 * DEPTH * entries,
              bytes + sparse_bytes(&d->made.t) + 2 * sparse_bytes(&d->X.t));
    check(add(&d->made, &d->small, &d->other));
    add_point("CSR + CSR", run_add, d, (double)(2 * bench_csr_entries(&small) - sparse_entries(&d->made.t)) + entries,
              both + sparse_bytes(&d->made.t));
    check(product(&d->made, &d->small, &d->other));
    add_point("CSR x CSR", run_product, d, 2 * pairs(&small, &other), both + sparse_bytes(&d->made.t));
    sparse_free(&d->small.t), sparse_free(&d->other.t), sparse_free(&d->made.t), sparse_free(&d->Y.t);
    bench_csr_free(&small), bench_csr_free(&other);
}

static void of_tensors(data *d)
{
    const size_t n = bench_size(300, 20), fiber = bench_size(100, 5);
    bench_csf t = bench_random_csf(n, fiber, 6);
    sparse_arrays arrays = {.pos_base = 0};
    for (unsigned l = 0; l < 3; l++) {
        arrays.pos[l] = (sparse_array)SPARSE_ARRAY(t.pos[l], l ? t.entries[l - 1] + 1 : 2);
        arrays.crd[l] = (sparse_array)SPARSE_ARRAY(t.crd[l], t.entries[l]);
    }
    arrays.val = (sparse_array)SPARSE_ARRAY(t.val, t.entries[2]);
    check(sparse_assemble(&d->T.t, t.size, &arrays, SPARSE_BORROW, NULL));
    const double entries = (double)t.entries[2];
    dense(&d->x.t, n, 1);
    check(ttv(&d->Y, &d->T, &d->x));
    add_point("TTV, CSF", run_ttv, d, 2 * entries,
              sparse_bytes(&d->T.t) + sparse_bytes(&d->x.t) + sparse_bytes(&d->Y.t));
    sparse_free(&d->Y.t);
    dense(&d->X.t, n, COLUMNS);
    dense(&d->Z.t, n, COLUMNS);
    add_point("MTTKRP, CSF, rank 32", run_mttkrp, d, 3 * COLUMNS * entries, sparse_bytes(&d->T.t) + 3 * sparse_bytes(&d->X.t));
    sparse_free(&d->T.t);
    bench_csf_free(&t);
}

static void of_vectors(data *d)
{
    const size_t n = bench_size(10000000, 4000);
    bench_vector a = bench_random_vector(n, n / 10, 7), b = bench_random_vector(n, n / 10, 9);
    sparse_vector(&d->a, &a, n);
    sparse_vector(&d->b, &b, n);
    const size_t bytes = sparse_bytes(&d->a.t) + sparse_bytes(&d->b.t);
    add_point("sum of two sparse vectors", run_add_lists, d, (double)(a.entries + b.entries), bytes);
    add_point("product of two sparse vectors", run_dot, d, (double)(a.entries + b.entries) / 10, bytes);
    sparse_free(&d->a.t), sparse_free(&d->b.t);
    bench_vector_free(&a), bench_vector_free(&b);
}

/* >>picture */
enum { LEFT = 70, RIGHT = 560, TOP = 40, FOOT = 430 };

typedef struct axes {
    double x[2], y[2]; /* the ends, as powers of two */
} axes;

static double across(const axes *a, double intensity)
{
    return LEFT + (RIGHT - LEFT) * (log2(intensity) - a->x[0]) / (a->x[1] - a->x[0]);
}
static double up(const axes *a, double speed)
{
    return FOOT - (FOOT - TOP) * (log2(speed / 1e9) - a->y[0]) / (a->y[1] - a->y[0]);
}

/* Draws a ceiling: a slope up to `top` for a bandwidth, a horizontal line if the bandwidth is 0. */
static void draw_ceiling(FILE *f, const axes *a, double bandwidth, double top, const char *dash, const char *name)
{
    const double left = bandwidth > 0 ? fmax(exp2(a->x[0]), 1e9 * exp2(a->y[0]) / bandwidth) : exp2(a->x[0]);
    const double end = bandwidth > 0 ? top / bandwidth : exp2(a->x[1]), low = bandwidth > 0 ? left * bandwidth : top;
    const double x = across(a, left), y = up(a, low);
    fprintf(f, "<path class='r' stroke-dasharray='%s' d='M%.1f %.1fL%.1f %.1f'/>\n", dash, x, y, across(a, end), up(a, top));
    if (bandwidth > 0)
        fprintf(f, "<text x='%.1f' y='%.1f' transform='rotate(%.1f %.1f %.1f)'>%s, %.3g GB/s</text>\n", x + 26, y - 9,
                -atan2((FOOT - TOP) / (a->y[1] - a->y[0]), (RIGHT - LEFT) / (a->x[1] - a->x[0])) * 57.29578, x, y, name,
                bandwidth / 1e9);
    else
        fprintf(f, "<text class='e' x='%d' y='%.1f'>%s, %.3g GFLOP/s</text>\n", RIGHT - 6, y + 16, name, top / 1e9);
}

static void draw_axes(FILE *f, const axes *a)
{
    for (double x = a->x[0]; x <= a->x[1]; x++)
        fprintf(f, "<path class='g' d='M%.1f %dV%d'/><text class='m' x='%.1f' y='%d'>%s%g</text>\n", across(a, exp2(x)), TOP,
                FOOT, across(a, exp2(x)), FOOT + 21, x < 0 ? "1/" : "", exp2(fabs(x)));
    for (double y = a->y[0]; y <= a->y[1]; y++)
        fprintf(f, "<path class='g' d='M%d %.1fH%d'/><text class='e' x='%d' y='%.1f'>%s%g</text>\n", LEFT,
                up(a, 1e9 * exp2(y)), RIGHT, LEFT - 6, up(a, 1e9 * exp2(y)) + 4, y < 0 ? "1/" : "", exp2(fabs(y)));
    fprintf(f, "<text class='m' x='%d' y='%d'>operations for each byte of the operands</text>\n", (LEFT + RIGHT) / 2,
            FOOT + 40);
    fprintf(f, "<text x='8' y='18'>GFLOP/s of one core: the roof, and kernels below it</text>\n");
}

/* The position of the number of point k: the nearest one that is free of other numbers and points. */
static void place_number(const axes *a, size_t k, double (*at)[2])
{
    static const double side[][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    const double x = across(a, points[k].intensity), y = up(a, points[k].speed);
    for (unsigned n = 0; n < 24; n++) {
        const double far = 13 * (1 + n / 8);
        bool taken = false;
        at[k][0] = x + far * side[n % 8][0];
        at[k][1] = y + far * side[n % 8][1];
        for (size_t l = 0; l < count; l++) {
            const double dot[2] = {across(a, points[l].intensity), up(a, points[l].speed)};
            taken |= fabs(dot[0] - at[k][0]) < 11 && fabs(dot[1] - at[k][1]) < 9;
            taken |= l < k && fabs(at[l][0] - at[k][0]) < 16 && fabs(at[l][1] - at[k][1]) < 11;
        }
        if (!taken && at[k][0] > LEFT + 6 && at[k][1] < FOOT - 4) return;
    }
}

static bool draw(const machine *m, const char *path)
{
    double number[SERIES][2];
    FILE *f = fopen(path, "wb");
    axes a = {{HUGE_VAL, 0}, {HUGE_VAL, ceil(log2(m->peak / 1e9) + 0.2)}};
    if (!f) return false;
    for (size_t k = 0; k < count; k++) {
        a.x[0] = fmin(a.x[0], floor(log2(points[k].intensity)));
        a.x[1] = fmax(a.x[1], ceil(log2(points[k].intensity)));
        a.y[0] = fmin(a.y[0], floor(log2(points[k].speed / 1e9)));
    }
    a.x[1] = fmax(a.x[1], ceil(log2(m->peak / m->memory)) + 1);
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='830' height='480' viewBox='0 0 830 480'>\n"
               "<style>text{font:12px sans-serif;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:4px}.m{text-anchor:middle}.e{text-anchor:end}.p{fill:#fff}"
               ".g{fill:none;stroke:#ddd}.r{fill:none;stroke:#d55e00;stroke-width:2}.a{fill:#0072b2}"
               "@media(prefers-color-scheme:dark){text{fill:#ddd;stroke:#15181c}.p{fill:#15181c}.g{stroke:#333940}.r{stroke:#f0915a}"
               ".a{fill:#56b4e9}}</style>\n<rect class='p' width='830' height='480'/>\n");
    draw_axes(f, &a); /* texts have a border in the page's colour */
    draw_ceiling(f, &a, m->memory, m->peak, "", "memory");
    draw_ceiling(f, &a, m->cache, m->peak, "6 4", "cache");
    draw_ceiling(f, &a, 0, m->peak, "", "vectors");
    draw_ceiling(f, &a, 0, m->chain, "6 4", "one addition after another");
    for (size_t k = 0; k < count; k++) {
        place_number(&a, k, number);
        fprintf(f, "<circle class='a' cx='%.1f' cy='%.1f' r='4'/>", across(&a, points[k].intensity), up(&a, points[k].speed));
        fprintf(f, "<text class='m' x='%.1f' y='%.1f'>%zu</text>", number[k][0], number[k][1] + 4, k + 1);
        fprintf(f, "<text class='e' x='%d' y='%zu'>%zu</text>", RIGHT + 40, TOP + 14 + 24 * k, k + 1);
        fprintf(f, "<text x='%d' y='%zu'>%s</text>\n", RIGHT + 52, TOP + 14 + 24 * k, points[k].name);
    }
    fputs("</svg>\n", f);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "build/roofline.svg";
    data d = {SPARSE_INIT(csr), SPARSE_INIT(csr), SPARSE_INIT(csr), SPARSE_INIT(csr), SPARSE_INIT(csr), SPARSE_INIT(csr),
              SPARSE_INIT(bsr), SPARSE_INIT(dia), SPARSE_INIT(csb), SPARSE_INIT(csf), SPARSE_INIT(list), SPARSE_INIT(list),
              SPARSE_INIT(vec), SPARSE_INIT(vec), SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat), 0};
    machine m = {0, 0, 0, 0};
    measure_machine(&m);
    products_with_vectors(&d);
    products_with_matrices(&d);
    of_tensors(&d);
    of_vectors(&d);
    measure_machine(&m);
    print(&m);
    sparse_free(&d.x.t), sparse_free(&d.y.t), sparse_free(&d.X.t), sparse_free(&d.Z.t), sparse_free(&d.Y.t);
    if (bench_is_quick()) return 0;
    if (draw(&m, path)) return printf("%s is drawn\n", path), 0;
    fprintf(stderr, "roofline: %s cannot be written\n", path);
    return 1;
}
