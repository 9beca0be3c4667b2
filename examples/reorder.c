/* reorder.c: renumbers the rows and columns of a symmetric matrix so that its entries lie near the diagonal.

       reorder [matrix.mtx]       a narrow band needs less memory to factorise, and products read x from the cache

   The bandwidth of a mesh's matrix depends on the numbering of its nodes. The program numbers them in scattered order, as
   in a mesh that was refined many times, and then in the reversed order of Cuthill and McKee (1969): breadth first
   from a node at the rim, nodes with fewer neighbours first. build/scattered.svg and build/reordered.svg show the
   matrix before and after. */
#include <stdlib.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
SPARSE_TENSOR(CSR)

/* the neighbours of a node: the entries of its row */
static size_t degree(const csr *A, size_t node)
{
    size_t n = 0;
    for (sparse_level_iterator i = sparse_level_begin(&A->t, 1, node); sparse_level_valid(&i); sparse_level_next(&i)) n++;
    return n;
}

/* adds the neighbours of a node that have no number yet to the end of order, those with fewer neighbours first */
static size_t number_neighbours(const csr *A, size_t node, size_t *order, size_t end, bool *numbered)
{
    const size_t begin = end;
    for (sparse_level_iterator i = sparse_level_begin(&A->t, 1, node); sparse_level_valid(&i); sparse_level_next(&i)) {
        const size_t next = sparse_level_coordinate(&i);
        size_t at = end;
        if (numbered[next]) continue;
        numbered[next] = true;
        for (; at > begin && degree(A, order[at - 1]) > degree(A, next); at--) order[at] = order[at - 1];
        order[at] = next;
        end++;
    }
    return end;
}

/* order[k]: the node that becomes the k-th; breadth first from each node in turn that is not reached yet */
static void cuthill_mckee(const csr *A, size_t *order, bool *numbered)
{
    const size_t n = A->t.dim[0];
    size_t end = 0, done = 0;
    for (size_t k = 0; k < n; k++) numbered[k] = false;
    while (end < n) {
        size_t start = n;
        for (size_t k = 0; k < n; k++)
            if (!numbered[k] && (start == n || degree(A, k) < degree(A, start))) start = k;
        numbered[start] = true;
        order[end++] = start;
        for (; done < end; done++) end = number_neighbours(A, order[done], order, end, numbered);
    }
    for (size_t k = 0; k < n / 2; k++) {
        const size_t last = order[k];
        order[k] = order[n - 1 - k];
        order[n - 1 - k] = last;
    }
}

/* B(k, l) = A(order[k], order[l]); number is the inverse of order */
static sparse_result renumber(csr *B, const csr *A, const size_t *order, size_t *number)
{
    sparse_insertion in = SPARSE_INSERTION(&B->t);
    sparse_result r = sparse_insert_begin(&in, A->t.dim);
    for (size_t k = 0; k < A->t.dim[0]; k++) number[order[k]] = k;
    SPARSE_FOREACH(c, &A->t)
        if (!r) r = csr_insert(&in, (size_t[]){number[c.dim[0]], number[c.dim[1]]}, *(const double *)c.value);
    if (!r) return sparse_insert_end(&in, SPARSE_DUPLICATES_ERROR);
    sparse_insert_cancel(&in);
    return r;
}

/* the greatest distance of an entry from the diagonal */
static size_t bandwidth(const csr *A)
{
    size_t most = 0;
    SPARSE_FOREACH(c, &A->t)
    {
        const size_t distance = c.dim[0] > c.dim[1] ? c.dim[0] - c.dim[1] : c.dim[1] - c.dim[0];
        if (distance > most) most = distance;
    }
    return most;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/plate.mtx";
    csr A = SPARSE_INIT(csr), scattered = SPARSE_INIT(csr), reordered = SPARSE_INIT(csr);
    sparse_io_error error = {0};
    sparse_result r = sparse_read(&A.t, path, &(sparse_read_options){.error = &error});
    const size_t n = r ? 0 : A.t.dim[0];
    size_t *order = malloc((n + 1) * sizeof *order), *number = malloc((n + 1) * sizeof *number);
    bool *numbered = malloc(n + 1);
    if (!r && (!order || !number || !numbered)) r = SPARSE_E_MEMORY;
    if (!r && A.t.dim[1] != n) r = SPARSE_E_DIMENSIONS;
    for (size_t k = 0; !r && k < n; k++) order[k] = n % 101 ? k * 101 % n : k;
    if (!r) r = renumber(&scattered, &A, order, number);
    if (!r) cuthill_mckee(&scattered, order, numbered);
    if (!r) r = renumber(&reordered, &scattered, order, number);
    if (!r) r = sparse_spy(&scattered.t, "build/scattered.svg");
    if (!r) r = sparse_spy(&reordered.t, "build/reordered.svg");
    if (r) fprintf(stderr, "%s\n", error.result ? error.message : sparse_explain(r));
    else printf("bandwidth %zu, reordered %zu\n", bandwidth(&scattered), bandwidth(&reordered));
    free(order), free(number), free(numbered);
    sparse_free(&A.t), sparse_free(&scattered.t), sparse_free(&reordered.t);
    return r != SPARSE_OK;
}
