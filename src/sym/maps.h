/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a process has mapped now, and what it was told when it began.
 */
#ifndef SYM_MAPS_H
#define SYM_MAPS_H

#include "sym/names.h"

/*
 * Call fn for each mapping of process pid (our number) that it may execute, by
 * address.  ERR_NOTFOUND: there is no such process; ERR_OS: it may not be looked
 * at.  The first error of fn ends it and is returned.
 */
typedef struct err *sym_maps_fn(void *ctx, const struct sym_mapping *m);
struct err *sym_maps_read(int pid, sym_maps_fn *fn, void *ctx);

/* A number by which /proc tells of process pid's memory and files: its own, or when its
 * first thread has ended and others have not, that of such a one. */
int sym_living(int pid);
/* The same; 0: none of its threads lives. */
int sym_lives(int pid);
/* Call fn with the number of each process that /proc shows, until it returns an error, which
 * is returned.  Who begins or ends meanwhile may be among them or not.  Without /proc, or
 * when it cannot be read, the error says so. */
struct err *sym_processes(struct err *(*fn)(void *ctx, int pid), void *ctx);

/* The length of a mapping's path without what the kernel adds to that of a deleted file. */
size_t sym_maps_path(const char *path);

/* Open the file of a mapping of process pid, which may be deleted or nowhere in
 * our view of the file system: a descriptor, or -1 and errno; ENOENT: the process has
 * something else there by now. */
int sym_maps_open(int pid, const struct sym_mapping *m);

/*
 * Open the file at path if it can be that of the mapping: a descriptor, or -1 and errno.
 * Something else may stand there by now, a device say, that does things when it is opened.
 * A device number of some file systems (btrfs, overlays) is one thing in a mapping and
 * another in stat(2); then inodes cannot be compared either.
 */
int sym_maps_open_same(const char *path, const struct sym_mapping *m);

/* What the kernel told a process's program as AT_`type`; its words have so many bytes.
 * False: nothing. */
bool sym_auxv(int pid, size_t word, uint64_t type, uint64_t *ret);

/* The last part of the path by which process pid executed its program, when that is a
 * link with another name than `name`, the program's own.  It may be that of a script, or
 * have been overwritten: then it does not lead to the program.  False: so it is. */
bool sym_executed_as(int pid, const char *name, char *ret, size_t size);

#endif
