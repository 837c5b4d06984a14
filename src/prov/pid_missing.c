/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Why a description of functions of a process matches nothing: which of its parts
 * there is not, and what is near.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/func.h"
#include "prov/pid_priv.h"
#include "util/sb.h"

enum { NEAR_MAX = 5, EDITS_MAX = 2 };

struct near {
	const char *to;
	const char *v[NEAR_MAX];
	unsigned edits[NEAR_MAX], n;
};

/* The nearest stay, in order, each once. */
static void
offer_near(struct near *x, const char *name, unsigned most)
{
	unsigned edits = probe_edit_distance(x->to, name, most), i;

	if (edits > most)
		return;
	for (i = 0; i < x->n; i++)
		if (!strcmp(x->v[i], name))
			return;
	for (i = x->n; i && x->edits[i - 1] > edits; i--)
		if (i < NEAR_MAX) {
			x->v[i] = x->v[i - 1];
			x->edits[i] = x->edits[i - 1];
		}
	if (i == NEAR_MAX)
		return;
	x->v[i] = name;
	x->edits[i] = edits;
	x->n += x->n < NEAR_MAX;
}

static void
put_near(struct sb *b, const struct near *x, const char *before)
{
	for (unsigned i = 0; i < x->n; i++)
		sb_printf(b, "%s%s", i ? ", " : before, x->v[i]);
}

/* --- Objects and functions ---------------------------------------------------- */

struct asking {
	struct prov_set *s;
	const struct probe_desc *d;
	struct probe_matcher m;
	struct prov_process *process;
	struct sb *b;
};

static void
no_object(struct asking *a)
{
	struct near x = { .to = a->d->mod };

	sb_printf(a->b, "process %d executes no object %s", (int)a->process->pid,
		  a->d->mod);
	for (size_t i = 0; i < a->process->maps.n; i++)
		offer_near(&x, a->process->maps.v[i].object->name, 1000);
	put_near(a->b, &x, " (");
	if (x.n)
		sb_printf(a->b, "%s)", a->process->maps.n > x.n ? ", ..." : "");
}

/* Call fn with each function of each object that is meant, until it returns true. */
static struct err *
each_function(struct asking *a, bool (*fn)(void *ctx, struct prov_object *o,
					   const struct prov_ufunc *f),
	      void *ctx, bool *any_object)
{
	*any_object = false;
	for (size_t i = 0; i < a->process->maps.n; i++) {
		struct prov_object *o = a->process->maps.v[i].object;
		if (!prov_pid_object_matches(&a->m.mod, a->process, o))
			continue;
		*any_object = true;
		TRY(prov_user_functions(a->s, o));
		for (size_t k = 0; k < o->nfuncs; k++)
			if (fn(ctx, o, &o->funcs[k]))
				return NULL;
	}
	return NULL;
}

struct finding {
	struct asking *a;
	struct prov_object *object;
	const struct prov_ufunc *found;
	struct near near;
};

static bool
find_function(void *ctx, struct prov_object *o, const struct prov_ufunc *f)
{
	struct finding *x = ctx;

	if (!prov_pid_is_part(f))
		offer_near(&x->near, f->name, EDITS_MAX);
	if (!probe_pattern_match(&x->a->m.func, f->name))
		return false;
	if (x->found && !f->is_resolver)
		return false;
	x->object = o;
	x->found = f;
	return f->is_resolver;
}

/* --- Names -------------------------------------------------------------------- */

struct around {
	uint64_t at;
	uint32_t before, behind;	/* the instructions on both sides */
	bool is_one, is_harmful;
};

static bool
look_around(void *ctx, const struct insn *i)
{
	struct around *x = ctx;

	if (i->at < x->at)
		x->before = i->at;
	x->is_one = i->at == x->at;
	x->is_harmful = x->is_one && i->is_harmful;
	x->behind = i->at;
	return i->at < x->at;
}

static struct err *
no_offset(struct asking *a, const struct finding *f)
{
	struct pid *b = prov_state(a->s, &prov_pid_ops);
	struct around x = { .at = strtoull(a->d->name, NULL, 16) };
	size_t size, end;

	TRY(prov_pid_code(b, f->object, f->found, &size));
	TRY(insn_walk(b->code.v, size, look_around, &x, &end));
	if (x.at >= size)
		sb_printf(a->b, "function %s has %zx bytes (hex), and none at %s",
			  f->found->name, size, a->d->name);
	else if (x.is_harmful)
		sb_printf(a->b, "no probe may stand on the instruction at %s of "
			  "%s: it would harm the process", a->d->name,
			  f->found->name);
	else
		sb_printf(a->b, "no instruction of %s begins at %s; near are %x "
			  "and %x", f->found->name, a->d->name, x.before,
			  x.behind);
	return NULL;
}

static bool
is_hex(const char *name)
{
	return *name && name[strspn(name, "0123456789abcdef")] == '\0';
}

static struct err *
no_name(struct asking *a, const struct finding *f)
{
	if (f->found->is_resolver)
		sb_printf(a->b, "%s is chosen when the program starts, and "
			  "nobody calls it by this name", f->found->name);
	else if (is_hex(a->d->name))
		return no_offset(a, f);
	else
		sb_printf(a->b, "functions of processes have no probe %s, but "
			  "entry, return, and the offsets of instructions in "
			  "hex", a->d->name);
	return NULL;
}

struct err *
prov_pid_missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
		 enum prov_part *part)
{
	struct asking a = { .s = s, .d = d, .b = b };
	struct finding f = { .a = &a, .near = { .to = d->func } };
	pid_t pid = prov_pid_number(d->prov);
	bool any;

	*part = PROV_PART_PROV;
	if (!pid) {
		sb_printf(b, "%s is no process: a number follows pid", d->prov);
		return NULL;
	}
	probe_matcher_init(&a.m, d);
	struct err *e = prov_user_process(s, pid, &a.process);
	if (e && e->code != ERR_NOMEM) {
		sb_puts(b, e->text);
		err_free(e);
		return NULL;
	}
	if (e)
		return e;
	TRY(each_function(&a, find_function, &f, &any));
	*part = !any ? PROV_PART_MOD : !f.found ? PROV_PART_FUNC : PROV_PART_NAME;
	if (!any) {
		no_object(&a);
	} else if (!f.found) {
		sb_printf(b, "%s of process %d has no function %s",
			  *d->mod ? d->mod : "nothing", (int)pid, d->func);
		put_near(b, &f.near, "; near are ");
	} else {
		if (f.found->is_resolver)
			*part = PROV_PART_FUNC;
		return no_name(&a, &f);
	}
	return NULL;
}
