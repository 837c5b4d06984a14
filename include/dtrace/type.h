/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types: of the kernel and its modules, of D and of programs.  What is handed out
 * lives until dtrace_close().
 */
#ifndef DTRACE_TYPE_H
#define DTRACE_TYPE_H

#include "dtrace/lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {	/* names of other types and qualifiers looked through */
	DTRACE_TYPE_VOID, DTRACE_TYPE_INT, DTRACE_TYPE_FLOAT,
	DTRACE_TYPE_POINTER, DTRACE_TYPE_ARRAY, DTRACE_TYPE_FUNCTION,
	DTRACE_TYPE_STRUCT, DTRACE_TYPE_UNION, DTRACE_TYPE_ENUM,
	DTRACE_TYPE_FORWARD,	/* declared, but not known */
	DTRACE_TYPE_STRING,	/* of D */
	DTRACE_TYPE_OTHER	/* of D: what stack() and its like are */
} dtrace_typekind_t;

enum {	/* dtt_flags */
	DTT_FL_USER = 1,	/* points into the memory of a process */
	DTT_FL_SIGNED = 2	/* INT, ENUM */
};

typedef struct dtrace_type dtrace_type_t;

typedef struct dtrace_typeinfo {
	const char *dtt_object;	/* whose: "vmlinux", a module, "C", "D" */
	const dtrace_type_t *dtt_type;
	unsigned int dtt_flags;
	dtrace_typekind_t dtt_kind;
	const char *dtt_name;	/* as C text: "struct file *" */
	uint64_t dtt_size;	/* bytes; 0: none, or unknown */
	uint64_t dtt_count;	/* ARRAY: elements */
} dtrace_typeinfo_t;

/* object: a module, "vmlinux", "C", "D" (what D and programs define), or
 * DTRACE_OBJ_EVERY.  name: "struct task_struct", "pid_t".  EDT_NOTFOUND: it has
 * no such type, or only declares it. */
int dtrace_lookup_by_type(dtrace_hdl_t *, const char *object,
			  const char *name, dtrace_typeinfo_t *);
/* Of what dtrace_lookup_by_name() or _by_addr() found: of a function, or of a
 * variable that D has a type for.  info NULL: by st_value.  EDT_NOTFOUND. */
int dtrace_symbol_type(dtrace_hdl_t *, const Elf64_Sym *,
		       const dtrace_syminfo_t *info, dtrace_typeinfo_t *);
/* What a cast of D could say: "const struct file *", "int [4]".  A struct that is
 * defined in it stays defined. */
int dtrace_type_strcompile(dtrace_hdl_t *, const char *text,
			   dtrace_typeinfo_t *);
/* The same of all that fp has. */
int dtrace_type_fcompile(dtrace_hdl_t *, FILE *fp, dtrace_typeinfo_t *);

/* What a pointer points to, an array consists of, a function returns.
 * EDT_INVALID for others. */
int dtrace_type_target(dtrace_hdl_t *, const dtrace_typeinfo_t *,
		       dtrace_typeinfo_t *);

typedef struct dtrace_member {
	const char *dtm_name;		/* "": it has none */
	uint64_t dtm_bit_offset;	/* STRUCT, UNION */
	unsigned int dtm_bit_size;	/* 0: not a bit-field */
	int64_t dtm_value;		/* ENUM */
	dtrace_typeinfo_t dtm_type;	/* not of an ENUM's */
} dtrace_member_t;

/* Return nonzero to end the walk; it is the result then.  The member is borrowed
 * for the call. */
typedef int dtrace_member_f(dtrace_hdl_t *, const dtrace_member_t *,
			    void *arg);
/* The members of a struct or union, the parameters of a function, the enumerators
 * of an enum; others have none. */
int dtrace_type_members(dtrace_hdl_t *, const dtrace_typeinfo_t *,
			dtrace_member_f *, void *arg);

#ifdef __cplusplus
}
#endif

#endif
