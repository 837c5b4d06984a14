/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Why a description of static probes of a process matches nothing: which of its parts
 * there is not, and what there is.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/near.h"
#include "prov/usdt_priv.h"

enum { ANY = 1000 };			/* edits: each name will do */

struct missing {
	struct prov_set *s;
	const struct probe_desc *d;
	struct probe_matcher m;
	struct prov_process *process;
	const char *name;		/* of the provider, without the number */
	size_t len;			/* of that */
	bool has_prov, has_name, has_object;
	bool has_mod;			/* an object of that name, with probes or without */
	struct prov_near provs, names, all_names, objects;
};

/* The process whose number the provider's name ends with; NULL: there is none. */
static struct err *
find_process(struct missing *x)
{
	size_t n = strlen(x->name);

	while (n && isdigit((unsigned char)x->name[n - 1]))
		n--;
	unsigned long pid = strtoul(x->name + n, NULL, 10);
	x->len = n;
	if (!n || pid < 1 || pid > INT_MAX)
		return NULL;
	struct err *e = prov_user_process(x->s, (pid_t)pid, &x->process);
	/* A thread of the kernel has none; nfsv3 is no provider of process 3. */
	if (e || (x->process && !x->process->exe))
		x->process = NULL;
	return err_only_nomem(e);
}

static void
look_at_note(struct missing *x, const struct prov_object *o,
	     const struct usdt_note *n)
{
	prov_near_offer(&x->provs, n->prov, ANY);
	if (strlen(n->prov) != x->len || strncmp(n->prov, x->name, x->len))
		return;
	x->has_prov = true;
	prov_near_offer(&x->names, n->name, 2);
	prov_near_offer(&x->all_names, n->name, ANY);
	if (!probe_pattern_match(&x->m.name, n->name) && !prov_usdt_is_alias(n, x->d->name))
		return;
	x->has_name = true;
	prov_near_offer(&x->objects, o->name, ANY);
	x->has_object |= prov_object_matches(&x->m.mod, x->process, o);
}

static struct err *
look_at_object(void *ctx, struct prov_object *o)
{
	struct missing *x = ctx;
	struct usdt_file *f;

	x->has_mod |= prov_object_matches(&x->m.mod, x->process, o);
	TRY(prov_usdt_file(x->s, o, &f));
	for (size_t i = 0; i < f->notes.n; i++)
		look_at_note(x, o, f->notes.v[i]);
	return NULL;
}

static enum prov_part
say(const struct missing *x, struct sb *b)
{
	int pid = (int)x->process->pid;
	const char *exe = prov_process_name(x->process);
	static const char later[] = "; -Z awaits those of what it loads later";

	if (!x->provs.n) {
		sb_printf(b, "process %d (%s) has no static probes", pid, exe);
		sb_puts(b, later);
		return PROV_PART_PROV;
	}
	if (!x->has_prov) {
		sb_printf(b, "process %d (%s) has no static probes of %.*s", pid,
			  exe, (int)x->len, x->name);
		prov_near_put(b, &x->provs, ", but of ");
		sb_puts(b, later);
		return PROV_PART_PROV;
	}
	if (!x->has_name) {
		sb_printf(b, "%.*s has no probe %s", (int)x->len, x->name,
			  x->d->name);
		prov_near_put(b, x->names.n ? &x->names : &x->all_names,
			      x->names.n ? "; near are " : "; it has ");
		if (!x->names.n && x->all_names.n == PROV_NEAR_MAX)
			sb_puts(b, ", ...");
		if (!x->has_mod)
			sb_puts(b, later);
		return PROV_PART_NAME;
	}
	if (!x->has_object) {
		if (*x->d->name)
			sb_printf(b, "%s is not in %s", x->d->name, x->d->mod);
		else
			sb_printf(b, "no probe of %.*s is in %s", (int)x->len,
				  x->name, x->d->mod);
		prov_near_put(b, &x->objects, ", but in ");
		if (!x->has_mod)
			sb_puts(b, later);
		return PROV_PART_MOD;
	}
	if (*x->d->name)
		sb_printf(b, "no place of %s is in a function %s", x->d->name,
			  x->d->func);
	else
		sb_printf(b, "no probe of %.*s is in a function %s", (int)x->len,
			  x->name, x->d->func);
	return PROV_PART_FUNC;
}

struct err *
prov_usdt_missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
		  enum prov_part *part)
{
	struct missing x = {
		.s = s, .d = d, .name = d->prov, .provs.to = d->prov,
		.names.to = d->name, .all_names.to = d->name,
		.objects.to = d->mod,
	};
	struct probe_pattern any;

	if (probe_has_glob(d->prov) || prov_usdt_is_others(s, d->prov))
		return NULL;
	probe_matcher_init(&x.m, d);
	TRY(find_process(&x));
	if (!x.process)
		return NULL;
	probe_pattern_init(&any, "");
	TRY(prov_user_objects(x.process, &any, look_at_object, &x));
	*part = say(&x, b);
	return NULL;
}
