/* The four functions that a program must define for freestanding kernels. */
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

void *memcpy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (bytes--) *t++ = *f++;
    return to;
}
void *memmove(void *to, const void *from, size_t bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) return memcpy(to, from, bytes);
    while (bytes--) t[bytes] = f[bytes];
    return to;
}
void *memset(void *to, int byte, size_t bytes)
{
    unsigned char *t = to;
    while (bytes--) *t++ = (unsigned char)byte;
    return to;
}
int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *l = a, *r = b;
    for (; bytes && *l == *r; bytes--) l++, r++;
    return bytes ? *l - *r : 0;
}
