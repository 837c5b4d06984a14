/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A made-up running system for the tests of sema: a few kernel types, symbols
 * and probes.  In C:
 *
 *	struct file;			(never defined)
 *	enum state { RUNNING, SLEEPING = 4 };
 *	typedef unsigned long pgoff_t;
 *	struct task_struct {
 *		int pid; char comm[16]; struct task_struct *parent;
 *		unsigned int low:3, high:5; void *stack; struct file *file;
 *		enum state state; int prio[4]; union { long a; char b; };
 *		int (*fn)(void); char *name; unsigned char flag;
 *	};
 *	struct bufinfo { unsigned long b_bcount; struct task_struct *b_task; };
 */
#ifndef TESTS_UNIT_SEMA_WORLD_H
#define TESTS_UNIT_SEMA_WORLD_H

#include "sema/sema.h"

extern const struct sema_world test_world;

/* A program compiled against test_world.  Everything is freed by
 * compile_fini(). */
struct compile {
	struct arena *a;
	struct intern names;
	struct opt_set opts;
	struct sema *s;
	struct diag_list d;
	bool no_memory;
};

/* opts: "name=value name ...", or NULL. */
bool compile_init(struct compile *c, const char *opts);
void compile_fini(struct compile *c);
/* NULL when memory was short or the text could not be parsed. */
const struct sema_prog *compile(struct compile *c, const char *text,
				unsigned flags);

#endif
