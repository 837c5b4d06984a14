/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types and variables of the processes of -c and -p, as the compiler asks for them:
 * of the first process that has them.
 */
#include <string.h>

#include "prov/usertype.h"
#include "session/proc_priv.h"
#include "session/program_priv.h"

static const struct type *
find_type(void *ctx, const char *module, enum type_kind kind,
	  const char *name)
{
	struct session *s = ctx;
	const struct type *t = NULL, *best = NULL;

	for (struct session_proc *p = s->procs; p; p = p->next) {
		session_forget(s, prov_user_type(s->prov, p->seen, module, kind,
						 name, &t));
		if (t && type_is_complete(t))
			return t;
		best = t ? t : best;
	}
	return best;
}

static bool
find_symbol(void *ctx, const char *module, const char *name, uint64_t *addr,
	    const struct type **type)
{
	struct session *s = ctx;

	*addr = 0;
	for (struct session_proc *p = s->procs; p && !*addr; p = p->next)
		session_forget(s, prov_user_symbol(s->prov, p->seen, module,
						   name, addr, type));
	return *addr;
}

/* The name nearest to one. */
struct near {
	const char *name, *best;
	unsigned dist;
};

/* Do they have the same name, but other arguments? */
static bool
is_other_of(const char *name, const char *of)
{
	size_t n = strcspn(name, "<");

	return name[n] && strcspn(of, "<") == n && !memcmp(name, of, n);
}

static bool
is_nearer(void *ctx, const char *name)
{
	struct near *r = ctx;
	unsigned most = r->best ? r->dist - 1 : r->dist;
	unsigned d = probe_edit_distance(r->name, name, most);

	if (d > most && !r->best && is_other_of(r->name, name))
		d = most;
	if (d > most)
		return true;
	r->best = name;
	r->dist = d;
	return d > 0;
}

/* In its own kind, then in the others. */
static const char *
near_type(struct session *s, pid_t pid, const char *module,
	  enum type_kind kind, const char *name, struct arena *a)
{
	static const struct { enum type_kind kind; const char *word; } all[] = {
		{ TYPE_STRUCT, "struct " }, { TYPE_UNION, "union " },
		{ TYPE_ENUM, "enum " }, { TYPE_TYPEDEF, "" },
	};
	size_t len = strlen(name), best = 0;
	struct near r = { .name = name,
			  .dist = len < 3 ? 0 : len < 6 ? 1 : len < 12 ? 2 : 3 };

	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < BASE_NELEMS(all); i++) {
			const char *before = r.best;
			if ((all[i].kind == kind) == pass ||
			    (r.best && !r.dist))
				continue;
			session_forget(s, prov_user_type_names(s->prov, pid,
					module, all[i].kind, is_nearer, &r));
			if (r.best != before)
				best = i;
		}
	}
	return r.best ? arena_printf(a, "did you mean %s%s%s%s?",
				     all[best].word, module ? module : "",
				     module ? "`" : "", r.best) : NULL;
}

static const char *
no_type(void *ctx, const char *module, enum type_kind kind, const char *name,
	struct arena *a)
{
	struct session *s = ctx;
	const char *text = NULL;

	for (struct session_proc *p = s->procs; p && !text; p = p->next) {
		const char *why = prov_user_no_types(s->prov, p->seen, module);
		text = why ? arena_printf(a, "the process's own types are not "
					  "known: %s", why)
			   : near_type(s, p->seen, module, kind, name, a);
	}
	return text;
}

bool
session_process_maps(struct session *s, const char *module, const char *symbol,
		     const char **why)
{
	bool is = false;

	for (struct session_proc *p = s->procs; p && !is; p = p->next) {
		is = prov_user_maps(s->prov, p->seen, module);
		*why = is ? prov_user_no_symbol(s->prov, p->seen, module, symbol) :
			    NULL;
	}
	return is;
}

void
session_process_types(struct session *s)
{
	s->world.find_process_type = find_type;
	s->world.find_process_symbol = find_symbol;
	s->world.no_process_type = no_type;
}
