/* graph.c: distances, triangles and components of a graph: four algorithms, each of one or two kernel lines.

       graph [graph.mtx [start]]

   Entry i, j of the file is an edge between i and j with its value as length, or 1 if the file has no values. Directions
   and self-loops are ignored. From vertex `start`, counted from 1, the program computes the number of steps (breadth-first
   search) and the length of the shortest path (products over min and +) to every vertex. Then it counts the triangles and
   the connected components (Kepner and Gilbert 2011). The default graph: towns of three islands and their roads. */
#include <math.h>
#include "sparse.h"
#include "sparse_io.h"

#define GRAPH graph, SPARSE_CSR, double, 32, 32
#define BACK  back, SPARSE_CSC, double, 32, 32    /* by columns, to read the transpose */
#define FRONT front, ((i), (compressed(nonunique, nonordered), i)), double, 32, 32 /* an unsorted list of vertices */
#define VEC   vec, SPARSE_DENSE_1D, double, 32, 32 /* a number for each vertex */
#define MARKS marks, SPARSE_DENSE_1D, uint8_t, 32, 32
SPARSE_TENSOR(GRAPH)
SPARSE_TENSOR(BACK)
SPARSE_TENSOR(FRONT)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MARKS)

SPARSE_KERNEL(start_at, (i), from(HUGE_VAL, x, VEC, i), all((now, FRONT, i)), x = now)
SPARSE_KERNEL(copy, (i), (x, VEC, i), all((y, VEC, i)), x = y)
SPARSE_KERNEL(sum, (i), (s, double), all((x, VEC, i)), if (x < HUGE_VAL) s += x)
SPARSE_KERNEL(furthest, (i), (s, double), all((x, VEC, i)), if (x < HUGE_VAL && x > s) s = x)
SPARSE_KERNEL(reached, (i), (s, size_t), all((x, VEC, i)), s += x < HUGE_VAL)

/* an edge in either direction; the shorter one if there are both */
SPARSE_KERNEL(undirected, (i, j), (G, GRAPH, i, j), any((A, GRAPH, i, j), (B, BACK, j, i)),
              G = has_A && has_B ? fmin(fabs(A), fabs(B)) : fabs(A + B); has_G = i != j)

/* The vertices of level n: step finds the neighbours of the last level. If that has many edges, the other kernels instead
   look for a neighbour in it from each vertex without a level (Beamer, Asanovic and Patterson 2012). */
SPARSE_KERNEL(step, (prefetch(i), j), ((next, FRONT, j), (level, VEC, j)), all((now, FRONT, i), (G, GRAPH, i, j), (n, double)),
              if (level < HUGE_VAL) continue; next = level = n)
SPARSE_KERNEL(look, (i, j), (next, FRONT, i), all((G, GRAPH, i, j), (level, double *), (n, double)),
              if (level[i] < HUGE_VAL) break; next = n; has_next = level[j] < n; if (has_next) level[i] = n)

/* The vertices that get nearer through vertices that got nearer in the last round; each is listed once. */
SPARSE_KERNEL(relax, (prefetch(i), j), (next, FRONT, j),
              all((now, FRONT, i), (G, GRAPH, i, j), (distance, double *), (listed, double *), (round, double)),
              const double way = distance[i] + G; if (!(way < distance[j])) continue;
              distance[j] = next = way; has_next = listed[j] < round; listed[j] = round)

/* L has each edge once, from the later vertex to the earlier one. corners marks the earlier neighbours of a vertex, and
   counts the edges between them. */
SPARSE_KERNEL(later, (i, j), (L, GRAPH, i, j), all((G, GRAPH, i, j)), L = G; has_L = j < i)
SPARSE_KERNEL(corners, (i, k, j), (count, double),
              all((L, GRAPH, i, k), (M, GRAPH, k, j), where((mark, MARKS, j), (j), all((N, GRAPH, i, j)), mark = 1)),
              count += mark)

/* the smallest name of a vertex and its neighbours; repeated until a component has one name */
SPARSE_KERNEL(number, (i), (name, VEC, i), all((first, double)), name = first + (double)i)
SPARSE_KERNEL(adopt, (i, j), (least, VEC, i), all((G, GRAPH, i, j), (name, VEC, j)), least = fmin(least, name))
SPARSE_KERNEL(differ, (i), (count, size_t), all((x, VEC, i), (y, VEC, i)), count += x < y || x > y)
SPARSE_KERNEL(leaders, (i), (count, size_t), all((name, VEC, i)), count += (size_t)name == i)
SPARSE_KERNEL(members, (i), (count, size_t), all((name, VEC, i), (leader, double)),
              count += fabs(name - leader) < 1)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

/* now = a list of the vertex `start`; x = 0 there, and infinite elsewhere. */
static sparse_result begin(front *now, vec *x, const graph *G, size_t start)
{
    sparse_result result;
    TRY(front_pack(now, G->t.dim, 1, &start, &(double){0}, SPARSE_DUPLICATES_ERROR));
    TRY(start_at(x, now));
done:
    return result;
}

/* level = the number of steps to each vertex. */
static sparse_result search(const graph *G, size_t start, vec *level)
{
    front now = SPARSE_INIT(front), next = SPARSE_INIT(front);
    size_t n = 0;
    sparse_result result;
    TRY(begin(&now, level, G, start));
    for (; sparse_entries(&now.t) > 0; n++) {
        const bool many = sparse_entries(&now.t) > G->t.dim[0] / 16;
        if (n < 10) printf("  %zu steps: %zu\n", n, sparse_entries(&now.t));
        TRY(many ? look(&next, G, vec_values(level), (double)n + 1)
                 : step(&next, level, &now, G, (double)n + 1));
        const front last = now;
        now = next, next = last;
    }
    printf("levels %zu\n", n);
done:
    sparse_free(&now.t), sparse_free(&next.t);
    return result;
}

/* distance = the length of the shortest path to each vertex. */
static sparse_result shortest(const graph *G, size_t start, vec *distance)
{
    front now = SPARSE_INIT(front), next = SPARSE_INIT(front);
    vec listed = SPARSE_INIT(vec); /* the last round of each vertex */
    sparse_result result;
    TRY(begin(&now, distance, G, start));
    TRY(sparse_allocate_dense(&listed.t, G->t.dim));
    for (double round = 1; sparse_entries(&now.t) > 0; round++) {
        TRY(relax(&next, &now, G, vec_values(distance), vec_values(&listed), round));
        const front last = now;
        now = next, next = last;
    }
done:
    sparse_free(&now.t), sparse_free(&next.t), sparse_free(&listed.t);
    return result;
}

static sparse_result triangles(const graph *G, double *count)
{
    graph L = SPARSE_INIT(graph);
    sparse_result result;
    TRY(later(&L, G));
    TRY(corners(count, &L, &L, &L));
done:
    sparse_free(&L.t);
    return result;
}

/* name = the first vertex of each vertex's component. */
static sparse_result components(const graph *G, vec *name)
{
    vec least = SPARSE_INIT(vec);
    size_t changed = 1;
    sparse_result result;
    TRY(sparse_allocate_dense(&name->t, G->t.dim));
    TRY(number(name, 0));
    while (changed > 0) {
        TRY(copy(&least, name));
        TRY(adopt(&least, G, name));
        changed = 0;
        TRY(differ(&changed, name, &least));
        const vec last = *name;
        *name = least, least = last;
    }
done:
    sparse_free(&least.t);
    return result;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/roads.mtx";
    const size_t start = argc > 2 ? strtoul(argv[2], NULL, 10) - 1 : 0;
    graph A = SPARSE_INIT(graph), G = SPARSE_INIT(graph);
    back B = SPARSE_INIT(back);
    vec level = SPARSE_INIT(vec), distance = SPARSE_INIT(vec), name = SPARSE_INIT(vec);
    size_t vertices = 0, parts = 0, together = 0;
    double far = 0, all = 0, cliques = 0;
    sparse_io_error trouble = {0};
    sparse_result result = sparse_read(&A.t, path, &(sparse_read_options){.error = &trouble});
    if (result) goto done;
    TRY(sparse_convert(&B.t, &A.t));
    TRY(undirected(&G, &A, &B));
    printf("%s: %zu vertices, %zu edges\n", path, G.t.dim[0], sparse_entries(&G.t) / 2);
    TRY(search(&G, start, &level));
    TRY(reached(&vertices, &level));
    printf("reached %zu\n", vertices);
    TRY(shortest(&G, start, &distance));
    TRY(sum(&all, &distance));
    TRY(furthest(&far, &distance));
    printf("distances %.10g, the furthest %.10g\n", all, far);
    TRY(triangles(&G, &cliques));
    printf("triangles %.0f\n", cliques);
    TRY(components(&G, &name));
    TRY(leaders(&parts, &name));
    TRY(members(&together, &name, vec_values(&name)[start]));
    printf("components %zu, that of the start has %zu\n", parts, together);
done:
    if (result) fprintf(stderr, "graph: %s\n", trouble.result ? trouble.message : sparse_explain(result));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&G.t);
    sparse_free(&level.t), sparse_free(&distance.t), sparse_free(&name.t);
    return result != SPARSE_OK || vertices != together;
}
