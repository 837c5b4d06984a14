/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The files that processes execute, each known once.
 */
#ifndef SYM_OBJECT_PRIV_H
#define SYM_OBJECT_PRIV_H

#include "sym/elf_priv.h"
#include "sym/mounts_priv.h"
#include "sym/names.h"
#include "sym/sym.h"
#include "util/hash.h"
#include "util/vec.h"

struct object {
	char *path;		/* as the process sees it; owned */
	char *name;		/* its last part, to be printed; owned */
	uint64_t dev, inode;
	int fd;			/* -1: not open */
	bool is_large;		/* open, and one of objects.nlarge */
	bool is_anon;		/* no file: memory, filled by who knows */
	bool was_open;
	bool is_read;		/* tried; syms is empty when that failed */
	bool has_segments;	/* syms has them, or that was tried */
	struct esyms syms;
	struct sym_lines *lines;	/* NULL: nobody asked, or not now */
	bool has_no_lines;
	uint64_t lines_used;	/* as objects.uses was then */
	bool is_known, is_live;	/* sym_release()'s: of a process, of one that lives */
};

struct objects {
	struct hash by_key;	/* {dev, inode, path}: struct object */
	struct mounts mounts;
	unsigned nopen, nlarge;	/* files; of them those that stay open */
	VEC(struct object *) opened;	/* that are open, but for these; and some more */
	size_t oldest;		/* of opened: those before it are done with */
	size_t grown;		/* bytes for objects, since it was last set to 0 */
	VEC(struct object *) lined;	/* that have lines; few */
	uint64_t uses;		/* of lines */
	const char *debug_dir;	/* borrowed */
	/* Told of the first file whose file system does not answer; NULL: nobody is. */
	void (*on_nameless)(void *ctx, const char *text);
	void *on_nameless_ctx;
	int (*parent)(const void *ctx, int pid);	/* 0: unknown; NULL: nobody can say */
	const void *parent_ctx;
	bool mangled;
	bool lines;		/* are asked for */
};

void sym_objects_init(struct objects *t);
void sym_objects_fini(struct objects *t);
/* The object of a mapping of process pid, NULL when memory is short.  A file
 * seen for the first time is opened, because it may be gone later. */
struct object *sym_objects_get(struct objects *t, int pid,
			       const struct sym_mapping *m);
/* What it takes, in bytes, but for lines. */
size_t sym_object_size(const struct object *o);
/* Free those that are not known. */
void sym_objects_drop_unknown(struct objects *t);
/* Read the file that pid mapped so, or did: a descriptor that the caller closes; -1: it
 * is gone. */
int sym_object_open(const struct objects *t, const struct object *o, int pid,
		    const struct sym_mapping *m);
/* What lies at a byte of the file: fills function and offset when known.
 * pid: a process that may still have it. */
void sym_object_look_up(struct objects *t, struct object *o, int pid,
			const struct sym_mapping *m, uint64_t addr,
			struct sym_place *ret);
/* The same, after that, of lines, which are there until the next call. */
void sym_object_lines(struct objects *t, struct object *o, int pid,
		      const struct sym_mapping *m, uint64_t addr,
		      struct sym_place *ret);
/* Of an address outside of all executable mappings: does it lie in the data of
 * the file that has this one, and in which variable? */
bool sym_object_has_data(struct objects *t, struct object *o, int pid,
			 const struct sym_mapping *m, uint64_t addr);
void sym_object_look_up_data(struct objects *t, struct object *o, int pid,
			     const struct sym_mapping *m, uint64_t addr,
			     struct sym_place *ret);

#endif
