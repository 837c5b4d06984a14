/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The compiler's steps in the order of a session, none of which may fail
 * without having said why.  It knows when memory is made to run out: only then
 * may there be neither a result nor a diagnostic.
 */
#include "abi/cfg.h"
#include "fuzz.h"
#include "program.h"
#include "text.h"
#include "util/alloc.h"

static bool
is_type(void *ctx, const char *name)
{
	return sema_is_type(((struct program *)ctx)->c.s, name);
}

static void
on_option(void *ctx, const char *text, struct lang_span span)
{
	struct program *p = ctx;

	err_free(opt_set_text(&p->c.opts, text, OPT_FROM_PRAGMA, false));
}

/* A session refuses what is outside these. */
static bool
within_limits(const struct opt_set *o)
{
	return o->v[OPT_STRSIZE] >= ABI_STRSIZE_MIN &&
	       o->v[OPT_STRSIZE] <= ABI_STRSIZE_MAX;
}

static void
compile_text(struct program *p, const uint8_t *text, size_t n)
{
	struct lang_source *src = ARENA_NEW(p->c.a, struct lang_source);
	bool used[3] = { 0 };
	struct lang_env env = {
		.a = p->c.a, .names = &p->c.names, .diags = &p->c.d,
		.args = text_args, .nargs = BASE_NELEMS(text_args),
		.arg_used = used, .macros = text_macros,
		.nmacros = BASE_NELEMS(text_macros), .is_type = is_type,
		.on_option = on_option, .ctx = p, .flags = LANG_ARGREF,
	};

	if (!src)
		return;
	*src = (struct lang_source){ "fuzz.d", (const char *)text,
				     (uint32_t)n };
	const struct ast_program *ast = lang_parse(&env, src);
	fuzz_must(ast || p->failing);
	if (!ast || p->c.d.n || !within_limits(&p->c.opts))
		return;
	p->sema = sema_program(p->c.s, ast, &p->c.d, env.flags);
	fuzz_must(p->sema || p->failing);
	if (!p->sema || p->c.d.n)
		return;
	p->plan = gen_plan(p->c.a, p->c.s, &p->sema, 1,
			   (uint32_t)p->c.opts.v[OPT_STRSIZE],
			   p->c.opts.v[OPT_OFORMAT] > 0, &p->c.d);
	fuzz_must(p->failing || !p->plan == (p->c.d.n > 0));
}

void
program_init(struct program *p, const uint8_t *text, size_t n)
{
	*p = (struct program){ 0 };
	fuzz_must(compile_init(&p->c, NULL));
	compile_text(p, text, n);
}

void
program_init_failing(struct program *p, const uint8_t *text, size_t n,
		     unsigned long nth, bool sticky)
{
	*p = (struct program){ .failing = true };
	util_alloc_fail(nth, sticky);
	if (compile_init(&p->c, NULL))
		compile_text(p, text, n);
	util_alloc_fail(0, 0);
}

void
program_fini(struct program *p)
{
	compile_fini(&p->c);
}

static void
visit(const struct plan_node *n, program_difo_fn *fn, void *ctx)
{
	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			if (n->difos[i])
				fn(ctx, n->difos[i]);
		visit(n->then_, fn, ctx);
		visit(n->else_, fn, ctx);
	}
}

void
program_difos(const struct plan_prog *p, program_difo_fn *fn, void *ctx)
{
	for (uint32_t i = 0; i < p->nclauses; i++) {
		if (p->clauses[i].pred)
			fn(ctx, p->clauses[i].pred);
		visit(p->clauses[i].body, fn, ctx);
	}
}
