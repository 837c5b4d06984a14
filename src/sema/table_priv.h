/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The built-in names as builtins.def has them, and their prototypes.
 */
#ifndef SEMA_TABLE_PRIV_H
#define SEMA_TABLE_PRIV_H

#include "sema/ident.h"

enum builtin_flags { NIL = 0, BUILTIN_DESTR = 1, BUILTIN_ARRAY = 2,
		     BUILTIN_LATER = 4, BUILTIN_DYN = 8, BUILTIN_WHO = 16,
		     BUILTIN_WHY = 256 /* times enum builtin_absent */ };

/* Why a name that is LATER will stay so; 0: it will not. */
enum builtin_absent {
	BUILTIN_NOT_YET,
#define ABSENT(WHY, text) BUILTIN_NO_##WHY,
#include "sema/absent.def"
#undef ABSENT
};

enum param_kind { PARAM_TYPE, PARAM_ANY, PARAM_AGG };

struct proto_param {
	uint8_t kind;			/* enum param_kind */
	const struct type *type;	/* TYPE */
	const char *text;		/* for messages */
};

enum { PROTO_MAX = 8, PROTO_MANY = INT32_MAX };

struct proto {
	const struct type *result;
	uint32_t min, max;		/* arguments; PROTO_MANY: no limit */
	uint32_t n;			/* params[] that are described */
	struct proto_param params[PROTO_MAX];
};

struct sema;

/* Checks a call whose name is known; the arguments have not been looked at. */
typedef void builtin_check(struct sema *s, struct ast_node *call);

struct builtin {
	struct sema_ident id;		/* first: an ident of the table is one */
	const char *text;		/* type or prototype */
	uint32_t version;		/* as SEMA_VERSION */
	unsigned flags;			/* enum builtin_flags */
	builtin_check *check;		/* SUBR, ACTION */
	struct proto *proto;		/* parsed when first needed */
};

#define SEMA_VERSION(major, minor, micro) \
	((uint32_t)(major) << 24 | (uint32_t)(minor) << 12 | (uint32_t)(micro))

/* The newest D there is. */
#define SEMA_VERSION_MAX SEMA_VERSION(1, 13, 0)

#endif
