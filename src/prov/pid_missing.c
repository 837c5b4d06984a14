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
#include "prov/near.h"
#include "prov/pid_priv.h"
#include "prov/user_priv.h"
#include "prov/usertype.h"
#include "util/sb.h"

enum { EDITS_MAX = 2 };

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
	struct prov_near x = { .to = a->d->mod };

	if (!a->process->maps.n && a->process->is_hidden) {
		sb_printf(a->b, "process %d may not be looked into: it is another "
			  "user's, for which CAP_SYS_PTRACE is missing",
			  (int)a->process->pid);
		return;
	}
	if (!a->process->maps.n) {
		sb_printf(a->b, "process %d executes no program: it is a thread of "
			  "the kernel, or has ended", (int)a->process->pid);
		return;
	}
	sb_printf(a->b, "process %d executes no object %s", (int)a->process->pid,
		  a->d->mod);
	for (size_t i = 0; i < a->process->maps.n; i++)
		prov_near_offer(&x, a->process->maps.v[i].object->name, 1000);
	prov_near_put(a->b, &x, " (");
	if (x.n)
		sb_printf(a->b, "%s)", a->process->maps.n > x.n ? ", ..." : "");
}

struct finding {
	struct asking *a;
	bool any_object;		/* is meant */
	struct prov_object *object;	/* the first */
	const struct prov_ufunc *found;	/* in object; a resolver if there is one */
	const char *partly;		/* why not all functions are known, or NULL */
	const char *stripped;		/* the last object that is meant, of all: the program,
					 * with functions without names, */
	size_t nameless;		/* and how many those are */
	struct prov_near near;
};

/* What compilers make of a static function: name.constprop.0, name.isra.0. */
static bool
is_variant(const char *name, const char *of)
{
	size_t n = strlen(of);

	return n && !strncmp(name, of, n) && name[n] == '.';
}

static void
find_function(struct finding *x, struct prov_object *o,
	      const struct prov_ufunc *f)
{
	if (prov_pid_is_part(f))
		;
	else if (is_variant(f->name, x->near.to))
		prov_near_add(&x->near, f->name, 0);
	else
		prov_near_offer(&x->near, f->name, EDITS_MAX);
	if (!probe_pattern_match(&x->a->m.func, f->name) ||
	    (x->found && (x->found->is_resolver || !f->is_resolver)))
		return;
	x->object = o;
	x->found = f;
}

static struct err *
find_in(void *ctx, struct prov_object *o)
{
	struct finding *x = ctx;

	x->any_object = true;
	if (!x->object)
		x->object = o;
	TRY(prov_user_functions(x->a->s, o));
	if (!x->partly)
		x->partly = o->partly;
	size_t nameless = 0;
	for (size_t i = 0; i < o->nfuncs; i++) {
		find_function(x, o, &o->funcs[i]);
		nameless += !strncmp(o->funcs[i].name, PROV_NAMELESS,
				     strlen(PROV_NAMELESS));
	}
	if (nameless && (*x->a->d->mod || o == x->a->process->exe)) {
		x->stripped = o->name;
		x->nameless = nameless;
	}
	return NULL;
}

/* --- Names -------------------------------------------------------------------- */

static struct err *
no_offset(struct asking *a, const struct finding *f)
{
	struct pid_around x;

	TRY(prov_pid_around(prov_state(a->s, &prov_pid_ops), f->object, f->found,
			    strtoull(a->d->name, NULL, 16), &x));
	if (x.at >= x.size)
		sb_printf(a->b, "function %s has %zx bytes (hex), and none at %s",
			  f->found->name, x.size, a->d->name);
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

/* Of function "-". */
static struct err *
no_addr(struct asking *a, const struct finding *f)
{
	struct pid_around x;

	TRY(prov_pid_addr(prov_state(a->s, &prov_pid_ops), f->object, a->d->name,
			  &x));
	if (!prov_pid_is_hex(a->d->name))
		sb_printf(a->b, "of function - the name is an address of %s in "
			  "hex, which %s is not", f->object->name, a->d->name);
	else if (!x.func)
		sb_printf(a->b, "no function of %s that is known is at the address "
			  "%s", f->object->name, a->d->name);
	else if (x.is_harmful)
		sb_printf(a->b, "no probe may stand on the instruction at %s of "
			  "%s: it would harm the process", a->d->name,
			  f->object->name);
	else
		sb_printf(a->b, "no instruction of %s begins at %s; near are %llx "
			  "and %llx", f->object->name, a->d->name,
			  (unsigned long long)x.func->value + x.before,
			  (unsigned long long)x.func->value + x.behind);
	return NULL;
}

static struct err *
no_name(struct asking *a, const struct finding *f)
{
	if (prov_pid_is_line(a->d->name))
		return prov_pid_no_line(a->s, a->d, a->process, a->b);
	if (f->found->is_resolver)
		sb_printf(a->b, "%s is chosen when the program starts; "
			  "which one it is cannot be told here", f->found->name);
	else if (prov_pid_is_hex(a->d->name))
		return no_offset(a, f);
	else
		sb_printf(a->b, "functions of processes have no probe %s, but "
			  "entry, return, the offsets of instructions in hex, "
			  "and lines of source, FILE@LINE", a->d->name);
	return NULL;
}

struct err *
prov_pid_missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
		 enum prov_part *part)
{
	struct asking a = { .s = s, .d = d, .b = b };
	struct finding f = { .a = &a, .near = { .to = d->func } };
	pid_t pid = prov_pid_number(d->prov);

	*part = PROV_PART_PROV;
	if (prov_pid_means_all(d->prov)) {
		*part = PROV_PART_MOD;
		if (*d->mod)
			sb_printf(b, "no process executes an object %s, or it "
				  "has no function %s; -Z awaits those that "
				  "start later", d->mod,
				  *d->func ? d->func : "at all");
		else
			sb_printf(b, "functions of all processes need the name "
				  "of an object, as in %s:libc.so.6:malloc:entry",
				  d->prov);
		return NULL;
	}
	/* A pattern that others fit, too. */
	if (!pid && probe_has_glob(d->prov))
		return NULL;
	if (!pid) {
		sb_printf(b, strcmp(d->prov, "pid0") ?
			  "%s is no process: a number follows pid" :
			  "%s is no process: $target is that of -c or -p, and 0 "
			  "without", d->prov);
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
	TRY(prov_user_objects(a.process, &a.m.mod, find_in, &f));
	if (f.any_object && strcmp(d->func, "-") == 0) {
		*part = PROV_PART_NAME;
		return no_addr(&a, &f);
	}
	*part = !f.any_object ? PROV_PART_MOD : !f.found ? PROV_PART_FUNC : PROV_PART_NAME;
	if (!f.any_object) {
		no_object(&a);
	} else if (!f.found) {
		sb_printf(b, "%s%sprocess %d (%s) has no function %s", d->mod,
			  *d->mod ? " of " : "", (int)pid,
			  prov_process_name(a.process), d->func);
		bool is_made = f.near.n && !f.near.edits[0];
		if (!is_made && prov_user_is_inlined(s, f.object, d->func))
			sb_puts(b, "; it was inlined where it is called, so that only "
				"its lines have probes, FILE@LINE");
		else
			prov_near_put(b, &f.near, "; near are ");
		if (f.partly)
			sb_printf(b, "; not all functions are known: %s", f.partly);
		else if (f.stripped)
			sb_printf(b, "; %s is stripped: %zu of its functions "
				  "have no names but fun.ADDRESS", f.stripped,
				  f.nameless);
	} else {
		if (f.found->is_resolver && !prov_pid_is_line(d->name))
			*part = PROV_PART_FUNC;
		return no_name(&a, &f);
	}
	return NULL;
}
