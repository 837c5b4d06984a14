/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which tracepoints there are.  Three sources know of them:
 *
 *	types		each tracepoint leaves a typedef btf_trace_NAME in the BTF
 *			of the kernel, or of its module; and nothing is a raw
 *			tracepoint that does not
 *	tracefs		GROUP:NAME of each event that is made from one
 *
 * So names are from the types, and what tracefs says puts them into groups.  A
 * tracepoint without an event ("bare"), and each of them where tracefs cannot
 * be read, is in the group `ungrouped`.
 *
 * Some events are made from no tracepoint: the groups syscalls (whose events the
 * provider syscall has), ftrace, and what users have made of probes of their
 * own.  None of these has such a type.
 *
 * One at which a program does harm is left out (prov_tracepoint_harms()).
 *
 * To look for one name takes 1 ms, to list all of them 4: so a description with
 * a name is looked up.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/sdt_priv.h"
#include "util/alloc.h"

#define KERNEL PROBE_KERNEL

static const char ungrouped[] = "ungrouped";

/* For callbacks. */
struct listing {
	struct prov_set *s;
	struct sdt *sdt;
	const char *module;
	VEC(const char *) modules;
	struct err *err;
};

/* --- Groups --------------------------------------------------------------- */

/* Without tracefs there are no groups; only want of memory is an error. */
static struct err *
read_events(struct prov_set *s, struct sdt *sdt)
{
	if (sdt->has_events)
		return NULL;
	sb_init(&sdt->events, 1 << 26);
	struct err *e = prov_tracefs_read("available_events", &sdt->events);
	if (e && e->code == ERR_NOMEM) {
		sb_fini(&sdt->events);
		return e;
	}
	if (e) {
		sb_reset(&sdt->events);
		sdt->no_events = arena_strdup(s->arena, e->text);
	}
	err_free(e);
	sdt->has_events = true;
	return NULL;
}

/* One line of GROUP:NAME; *text moves behind it.  False at the end. */
static bool
next_event(const char **text, struct base_span *group, struct base_span *name)
{
	while (**text) {
		const char *line = *text, *colon;
		size_t n = strcspn(line, "\n");
		*text = line + n + (line[n] == '\n');
		colon = memchr(line, ':', n);
		if (!colon)
			continue;
		*group = (struct base_span){ line, (size_t)(colon - line) };
		*name = (struct base_span){ colon + 1,
					    n - (size_t)(colon + 1 - line) };
		return true;
	}
	return false;
}

static struct err *
set_group(struct prov_set *s, struct tracepoint *t, struct base_span group)
{
	if (t->group != ungrouped)
		return NULL;
	char *own = arena_strndup(s->arena, group.p, group.n);
	if (!own)
		return &err_nomem;
	t->group = own;
	return NULL;
}

static struct err *
set_groups(struct prov_set *s, struct sdt *sdt)
{
	const char *text = sb_str(&sdt->events);
	struct base_span group, name;

	while (next_event(&text, &group, &name)) {
		struct tracepoint *t = hash_get(&sdt->names, name.p, name.n);
		if (t)
			TRY(set_group(s, t, group));
	}
	return NULL;
}

/* Is there an event of that name?  Then its group. */
static bool
find_event(const struct sdt *sdt, const char *name, struct base_span *group)
{
	const char *text = sb_str(&sdt->events);
	size_t n = strlen(name);
	struct base_span own;

	while (next_event(&text, group, &own))
		if (own.n == n && memcmp(own.p, name, n) == 0)
			return true;
	return false;
}

/* --- Names ---------------------------------------------------------------- */

/* name lives as long as the set. */
static struct err *
add(struct prov_set *s, struct sdt *sdt, const char *name, const char *module,
    struct tracepoint **ret)
{
	void **at = hash_ref(&sdt->names, name, strlen(name));
	struct tracepoint *t = at ? *at : NULL;

	if (at && !t)
		*at = t = ARENA_NEW(s->arena, struct tracepoint);
	if (!t)
		return &err_nomem;
	if (!t->name)
		*t = (struct tracepoint){ .name = name, .group = ungrouped,
					  .module = module };
	assert(!strcmp(t->name, name));
	*ret = t;
	return NULL;
}

static bool
on_type(void *ctx, const char *type)
{
	struct listing *l = ctx;
	const char *name = type + strlen(ABI_BTF_TRACE);
	struct tracepoint *t;

	assert(!strncmp(type, ABI_BTF_TRACE, strlen(ABI_BTF_TRACE)));
	if (*name && strlen(name) < PROBE_NAMELEN && !prov_tracepoint_harms(l->s, name))
		l->err = add(l->s, l->sdt, name, l->module, &t);
	return !l->err;
}

static struct err *
list_module(struct listing *l, const char *module)
{
	l->module = module;
	TRY(typedb_typedefs(l->s->db, module, ABI_BTF_TRACE, on_type, l));
	return l->err;
}

static bool
on_module(void *ctx, const char *module)
{
	struct listing *l = ctx;

	if (!vec_push(&l->modules, module))
		l->err = &err_nomem;
	return !l->err;
}

/* A module whose types cannot be read has no probes; that says nothing of the
 * others. */
static struct err *
list_modules(struct listing *l)
{
	struct err *e = typedb_modules(l->s->db, on_module, l);

	for (size_t i = 0; i < l->modules.n && !l->err; i++)
		l->err = err_only_nomem(list_module(l, l->modules.v[i]));
	vec_fini(&l->modules);
	err_free(e);
	return l->err;
}

static int
by_name(const void *a, const void *b)
{
	const struct tracepoint *x = *(struct tracepoint *const *)a;
	const struct tracepoint *y = *(struct tracepoint *const *)b;
	int c = strcmp(x->group, y->group);

	return c ? c : strcmp(x->name, y->name);
}

static struct err *
sort(struct sdt *sdt)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&sdt->names, &i)); )
		if (!vec_push(&sdt->all, e->val))
			return &err_nomem;
	if (sdt->all.n)
		qsort(sdt->all.v, sdt->all.n, sizeof(*sdt->all.v), by_name);
	return NULL;
}

struct err *
prov_sdt_list(struct prov_set *s, struct sdt *sdt)
{
	struct listing l = { .s = s, .sdt = sdt };

	if (sdt->is_listed || !s->db)
		return NULL;
	sdt->all.n = 0;
	TRY(list_module(&l, KERNEL));
	TRY(list_modules(&l));
	TRY(read_events(s, sdt));
	TRY(set_groups(s, sdt));
	TRY(sort(sdt));
	sdt->is_listed = true;
	return NULL;
}

bool
prov_sdt_may_match(const char *name)
{
	for (; *name && *name != '['; name++)
		if (!strchr("0123456789_abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ*?", *name))
			return false;
	return true;
}

/* One of the kernel itself. */
static struct err *
find_kernel(struct prov_set *s, struct sdt *sdt, const char *name,
	    struct tracepoint **ret)
{
	const char *type = arena_printf(s->arena, ABI_BTF_TRACE "%s", name);
	uint32_t id;

	if (!type)
		return &err_nomem;
	TRY(typedb_btf_id(s->db, TYPE_TYPEDEF, type, &id));
	return id ? add(s, sdt, type + strlen(ABI_BTF_TRACE), KERNEL, ret) : NULL;
}

struct err *
prov_sdt_find(struct prov_set *s, struct sdt *sdt, const char *name,
	      struct tracepoint **ret)
{
	struct base_span group;

	*ret = hash_gets(&sdt->names, name);
	if (*ret || sdt->is_listed || !s->db || prov_tracepoint_harms(s, name))
		return NULL;
	TRY(find_kernel(s, sdt, name, ret));
	TRY(read_events(s, sdt));
	bool is_event = find_event(sdt, name, &group);
	if (*ret)
		return is_event ? set_group(s, *ret, group) : NULL;
	if (!is_event)
		return NULL;
	TRY(prov_sdt_list(s, sdt));	/* of a module */
	*ret = hash_gets(&sdt->names, name);
	return NULL;
}
