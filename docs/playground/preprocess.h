/* A preprocessor for C11, as far as the kit needs it: preprocess.c. */
#ifndef PREPROCESS_H
#define PREPROCESS_H

/* The file at `path` preprocessed, with the headers of directory `home`. `definitions` are lines to read first. Null and
   a reason if something fails. */
char *preprocess(const char *home, const char *path, const char *definitions, const char **reason);

#endif
