/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the pid provider's arguments are, where the debugging information of the
 * object tells: args[] of a function's entry are its parameters, args[1] of its
 * return is what it returns.  Of several functions of one name, static ones, the
 * first answers for all.
 */
#include "prov/pid_priv.h"
#include "prov/usertype.h"
#include "type/make.h"

static const struct type *
prototype(struct prov_set *s, const struct pid_probe *p)
{
	const struct prov_ufunc *f = p->funcs.v[0];

	if (p->kind == PID_OFFSET || p->kind == PID_LINE)
		return NULL;
	return prov_user_prototype(s, p->object, f->value, f->name);
}

static const struct type *
find(struct prov_set *s, const struct probe *probe, unsigned n,
     const char **name, unsigned *raw)
{
	const struct pid_probe *p = prov_pid_of(probe);
	const struct type *f = prototype(s, p);

	if (!f)
		return NULL;
	if (p->kind == PID_RETURN && n == 0) {
		*name = "offset";
		*raw = 0;
		return type_new_typedef(s->arena, "unknown_offset_t",
					&type_ulong);
	}
	const struct type *t = prov_user_arg(f, p->kind == PID_RETURN, n, name,
					     raw);
	return *raw < ABI_NARGS ? t : NULL;
}

const struct type *
prov_pid_arg_type(struct prov_set *s, const struct probe *p, unsigned n,
		  const char **name)
{
	unsigned raw = n;

	return find(s, p, n, name, &raw);
}

unsigned
prov_pid_arg_raw(struct prov_set *s, const struct probe *p, unsigned n)
{
	const char *name;
	unsigned raw = n;

	return find(s, p, n, &name, &raw) ? raw : n;
}

int
prov_pid_nargs(struct prov_set *s, const struct probe *probe)
{
	const struct pid_probe *p = prov_pid_of(probe);
	const struct type *f = prototype(s, p);
	const char *name;
	uint32_t n;

	if (!f)
		return -1;
	if (p->kind == PID_RETURN)
		return prov_pid_arg_type(s, probe, 1, &name) ? 2 : 1;
	type_params(f, &n);
	return n < ABI_NARGS ? (int)n : ABI_NARGS;
}
