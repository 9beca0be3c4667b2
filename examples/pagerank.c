/* pagerank.c: ranks the vertices of a graph by the links that lead to them.

       pagerank [graph.mtx [names.txt]]

   The rank of a vertex is the probability that a random surfer is there, who follows links in proportion to their weights,
   and sometimes, and always where there are no links, jumps anywhere (Page, Brin, Motwani and Winograd 1998).
   Entry i, j of the graph is a link from i to j. By default the vertices are functions of this kit and the links are
   calls: a function on which much of the code depends has a high rank. */
#include <math.h>
#include "sparse.h"
#include "sparse_io.h"

#define LINKS links, SPARSE_CSC, double, 32, 32 /* by columns, the targets of links */
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(LINKS)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(fill, (i), (x, VEC, i), all((number, double)), x = number)
SPARSE_KERNEL(leaving, (j, i), (degree, VEC, i), all((A, LINKS, i, j)), degree += A)
/* the share of a vertex for each of its links, per weight; and the sum of the ranks of vertices without links */
SPARSE_KERNEL(give, (i), ((share, VEC, i), (lost, double)), all((rank, VEC, i), (degree, VEC, i), (stay, double)),
              share = degree > 0 ? stay * rank / degree : 0; if (!(degree > 0)) lost += rank)
SPARSE_KERNEL(follow, (j, i), (next, VEC, j), all((A, LINKS, i, j), (share, VEC, i)), next += A * share)
SPARSE_KERNEL(sum, (i), (s, double), all((x, VEC, i)), s += x)
SPARSE_KERNEL(change, (i), (s, double), all((x, VEC, i), (y, VEC, i)), s += fabs(x - y))

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

/* rank = the ranks of the vertices of A, by the power method, until the sum of all changes is below 1e-12. */
static sparse_result pagerank(const links *A, vec *rank)
{
    const double stay = 0.85, n = (double)A->t.dim[0];
    vec degree = SPARSE_INIT(vec), share = SPARSE_INIT(vec), next = SPARSE_INIT(vec);
    double delta = 1;
    sparse_result result;
    TRY(sparse_allocate_dense(&rank->t, A->t.dim));
    TRY(sparse_allocate_dense(&next.t, A->t.dim));
    TRY(leaving(&degree, A));
    TRY(fill(rank, 1 / n));
    for (size_t step = 1; delta > 1e-12 && step <= 1000; step++) {
        double lost = 0;
        TRY(give(&share, &lost, rank, &degree, stay));
        TRY(fill(&next, (1 - stay) / n + stay * lost / n));
        TRY(follow(&next, A, &share));
        delta = 0;
        TRY(change(&delta, rank, &next));
        if (step % 20 == 0 || delta <= 1e-12) printf("  step %3zu   change %.1e\n", step, delta);
        const vec last = *rank;
        *rank = next, next = last;
    }
done:
    sparse_free(&degree.t), sparse_free(&share.t), sparse_free(&next.t);
    return result;
}

/* Prints a line of a text file, if there is one. */
static void print_line(const char *path, size_t number)
{
    char text[80] = "";
    FILE *in = path ? fopen(path, "r") : NULL;
    for (size_t line = 0; in && line <= number; line++)
        if (!fgets(text, sizeof text, in)) *text = 0;
    if (in) fclose(in);
    printf("%.*s\n", (int)strcspn(text, "\n"), text);
}

/* Prints the ten highest ranks, with the lines of the file as names, and sets them to 0. */
static void print_top(vec *rank, const char *names)
{
    double *const value = vec_values(rank);
    const size_t n = sparse_entries(&rank->t);
    for (size_t place = 0; place < 10 && place < n; place++) {
        size_t best = 0;
        for (size_t v = 1; v < n; v++)
            if (value[v] > value[best]) best = v;
        printf("  %.6f  %zu ", value[best], best + 1);
        print_line(names, best);
        value[best] = 0;
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/calls.mtx";
    const char *names = argc > 2 ? argv[2] : argc > 1 ? NULL : "examples/data/calls.txt";
    links A = SPARSE_INIT(links);
    vec rank = SPARSE_INIT(vec);
    double total = 0;
    sparse_io_error trouble = {0};
    sparse_result result = sparse_read(&A.t, path, &(sparse_read_options){.error = &trouble});
    if (result) goto done;
    printf("%s: %zu vertices, %zu links\n", path, A.t.dim[0], sparse_entries(&A.t));
    TRY(pagerank(&A, &rank));
    TRY(sum(&total, &rank));
    print_top(&rank, names);
    printf("the ranks add up to %.12f\n", total);
done:
    if (result) fprintf(stderr, "pagerank: %s\n", trouble.result ? trouble.message : sparse_explain(result));
    sparse_free(&A.t), sparse_free(&rank.t);
    return result != SPARSE_OK || !(fabs(total - 1) < 1e-9);
}
