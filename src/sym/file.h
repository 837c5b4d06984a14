/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the file of a program or library says of where things lie.  The file may
 * be anybody's, and anything.
 */
#ifndef SYM_FILE_H
#define SYM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* Addresses are those of the file: before it is loaded somewhere. */
struct sym_file {
	bool is_64;
	bool found;		/* the symbol is defined here, */
	bool is_of_thread;	/* or it is, but each thread has its own */
	bool is_data;		/* found as a variable */
	uint64_t start;		/* of the file's first byte */
	uint64_t entry;		/* where a program begins */
	uint64_t value;		/* of the symbol, when found */
};

/* Look for the symbol called name, static or dynamic.  ERR_FORMAT for what is
 * not an ELF file. */
struct err *sym_file_read(const char *path, const char *name,
			  struct sym_file *ret);

/* The same of a symbol that others than the file see. */
struct err *sym_file_exported(const char *path, const char *name,
			      struct sym_file *ret);

/* Is it a file of 32 bits? */
bool sym_elf_is_32(int fd);
/* Is it a program, and no library, as the linker has marked it? */
bool sym_elf_is_program(int fd);

/* --- Programs ----------------------------------------------------------------- */

/* Call fn for each file that has code and that the program at path will map: itself
 * (the interpreter of a script), the dynamic linker, libraries.  Some may be told
 * twice; what cannot be found out is not told. */
typedef void sym_path_fn(void *ctx, const char *path);
void sym_program_files(const char *path, sym_path_fn *fn, void *ctx);

/* --- Build ids ---------------------------------------------------------------- */

enum { SYM_BUILD_ID_MAX = 64 };		/* bytes */

/* Bytes of the file's build id into id; 0: it has none, or is no ELF file. */
size_t sym_elf_build_id(int fd, uint8_t id[SYM_BUILD_ID_MAX]);
/* The same of the program or library that this is a part of. */
size_t sym_own_build_id(uint8_t id[SYM_BUILD_ID_MAX]);

/* --- All functions ---------------------------------------------------------- */

struct sym_function {
	const char *name;	/* without a version; borrowed for the call */
	uint64_t value;		/* its address as linked; in a file that is not,
				 * its place in the section */
	uint64_t size;		/* bytes; 0: nobody says */
	uint64_t offset;	/* of its code in the file */
	bool is_local, is_weak;	/* neither: global */
	bool is_resolver;	/* it returns the function that is meant */
	bool is_alias;		/* of the one that was told before, at the same
				 * place */
};

typedef struct err *sym_elf_fn(void *ctx, const struct sym_function *f);
/*
 * Call fn for each function whose code is in the file, in order of place; of
 * those at one place the best name comes first.  Ways to functions of others
 * (PLT) are none.  The first error of fn ends the walk and is returned.
 * ERR_FORMAT for what is not an ELF file.  When fn was called for all that can
 * be read, but not all can: ERR_UNSUPPORTED, ERR_FORMAT, saying what.
 *
 * path: where the file lies, for what has its debugging information and is known by
 * the link of a stripped one; NULL: nobody knows.
 */
struct err *sym_elf_walk(int fd, const char *path, sym_elf_fn *fn, void *ctx);
/* The same of those, of known size, that hold one or more of the n places in the file,
 * which ascend: in a third of the time, if these are few.  Where debugging information
 * lies apart it is left there. */
struct err *sym_elf_walk_at(int fd, const uint64_t *places, size_t n,
			    sym_elf_fn *fn, void *ctx);

/* Code of a file, as it is loaded. */
struct sym_code_part {
	uint64_t offset, size;	/* bytes of the file */
	uint64_t addr;		/* as linked */
};

/* The parts that are code, at most max, in order of place; how many there are of
 * those, 0 in what is no ELF file. */
size_t sym_elf_parts(int fd, struct sym_code_part *ret, size_t max);

/* Code of the file that is loaded as one. */
struct sym_code {
	uint64_t addr, size;	/* as linked, bytes */
	uint64_t offset;	/* in the file */
};
/* What the address as linked lies in; false: no code of the file is there. */
bool sym_elf_code(int fd, uint64_t addr, struct sym_code *ret);

/* name as its programmer wrote it: the caller's; NULL when it is no mangled
 * name of C++, Rust or D, or memory is short. */
char *sym_demangle(const char *name);

/* --- Sections --------------------------------------------------------------- */

struct sym_section {
	void *data;		/* owned; for sym_section_fini() */
	size_t size;
	uint64_t addr;		/* as linked; 0: it is not loaded */
	uint64_t offset;	/* in the file */
};

/* The bytes of the first section of that name.  ERR_NOTFOUND: there is none;
 * ERR_UNSUPPORTED: it is compressed. */
struct err *sym_elf_section(int fd, const char *name, struct sym_section *ret);
void sym_section_fini(struct sym_section *s);
/* The same without its bytes: data is NULL. */
struct err *sym_elf_place(int fd, const char *name, struct sym_section *ret);

#endif
