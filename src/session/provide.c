/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What programs with probes of their own are built with: of a program's provider
 * definitions, which are nothing that is traced.
 */
#include "provide/provide.h"
#include "session/program_priv.h"
#include "session/program.h"

struct err *
session_header(struct session *s, const char *name, struct sb *b)
{
	bool any = false;

	for (size_t i = 0; i < s->progs.n; i++)
		any |= provide_first(s->progs.v[i]->sema->ast) != NULL;
	provide_header_begin(name, b);
	for (size_t i = 0; i < s->progs.n; i++) {
		const struct ast_program *p = s->progs.v[i]->sema->ast;
		/* What only traces belongs to no header, unless nothing else is here. */
		if (!any || provide_first(p))
			TRY(provide_header(p, b));
	}
	return b->failed ? &err_nomem : NULL;
}

struct err *
session_prog_object(const struct session_prog *p, unsigned n,
		    char *const *objects, struct sb *b)
{
	return provide_object(p->sema->ast, n, objects, b);
}
