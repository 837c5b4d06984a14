/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses and names, of the kernel and of processes.  Names are borrowed until
 * dtrace_close().
 */
#ifndef DTRACE_LOOKUP_H
#define DTRACE_LOOKUP_H

#include <elf.h>

#include "dtrace/handle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dtrace_syminfo {
	const char *dts_object;		/* "vmlinux", or the module */
	const char *dts_name;
	unsigned long dts_id;		/* 0 */
} dtrace_syminfo_t;

#define DTRACE_OBJ_EVERY ((const char *)-1L)	/* wherever it is */

/* The kernel's symbol that the address lies in.  sym (or NULL): st_value and
 * st_size are set, the rest is 0.  EDT_NOTFOUND; EDT_UNSUPPORTED when the kernel
 * hides its addresses. */
int dtrace_lookup_by_addr(dtrace_hdl_t *, uint64_t addr, Elf64_Sym *sym,
			  dtrace_syminfo_t *);
/* object: a module's name, "vmlinux", or DTRACE_OBJ_EVERY. */
int dtrace_lookup_by_name(dtrace_hdl_t *, const char *object,
			  const char *name, Elf64_Sym *sym,
			  dtrace_syminfo_t *);

enum {	/* dto_flags */
	DTRACE_OBJ_F_KERNEL = 1,	/* all there are */
	DTRACE_OBJ_F_PRIMARY = 2	/* the kernel itself */
};

/* The kernel or a module of it, and what of it lies where.  Of a module that is
 * from its first to behind its last symbol of that kind, to where the page ends;
 * what is not known is 0. */
typedef struct dtrace_objinfo {
	const char *dto_name;		/* "vmlinux", or the module */
	const char *dto_file;		/* which has its types; or "" */
	int dto_id;			/* from 0 on */
	unsigned int dto_flags;
	uint64_t dto_text_va, dto_text_size;
	uint64_t dto_data_va, dto_data_size;
	uint64_t dto_bss_va, dto_bss_size;
} dtrace_objinfo_t;

/* Return nonzero to end the walk; it is the result then.  The description is
 * borrowed for the call, the names until dtrace_close(). */
typedef int dtrace_obj_f(dtrace_hdl_t *, const dtrace_objinfo_t *, void *arg);
/* The kernel, then its modules that have symbols.  EDT_UNSUPPORTED when the kernel
 * hides its addresses. */
int dtrace_object_iter(dtrace_hdl_t *, dtrace_obj_f *, void *arg);
int dtrace_object_info(dtrace_hdl_t *, const char *object,
		       dtrace_objinfo_t *);

/* The text of an address, module`function+0x1f, or the number while it has no
 * name: as much of it as fits, and a NUL.  Returns its length, like snprintf(). */
int dtrace_addr2str(dtrace_hdl_t *, uint64_t addr, char *str, int nbytes);
/* pid may be gone, if the tracing has seen it. */
int dtrace_uaddr2str(dtrace_hdl_t *, pid_t pid, uint64_t addr, char *str,
		     int nbytes);

/* An address and what it lies in. */
typedef struct dtrace_frame {
	uint64_t address;
	const char *module;	/* a module of the kernel, or the base name of a
				 * program's or library's file; NULL: unknown */
	const char *function;	/* or variable; NULL: unknown */
	uint64_t offset;	/* from its start; 0 without one */
} dtrace_frame_t;

/* pid 0: of the kernel.  Never fails; what is unknown is NULL. */
void dtrace_lookup_frame(dtrace_hdl_t *, pid_t pid, uint64_t addr,
			 dtrace_frame_t *);

#ifdef __cplusplus
}
#endif

#endif
