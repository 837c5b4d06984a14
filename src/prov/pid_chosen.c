/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions that are chosen when a program starts: strlen() of the C library is a
 * function that returns which strlen() is meant on this processor.  The dynamic linker
 * calls it, and keeps what it says where the library's own calls find it, and where
 * those of other files do.  What a process has there is the function.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "prov/pid_priv.h"
#include "sym/file.h"
#include "sym/maps.h"
#include "sym/slot.h"
#include "util/cleanup.h"

struct choosing {
	struct prov_set *s;
	const struct prov_process *p;
	struct prov_object *o;		/* that has the function */
	const struct prov_ufunc *resolver;
	const char *name;		/* NULL: slots with the resolver, else with
					 * the name */
	int memory;			/* of the process */
	uint64_t bias;			/* of the file whose slots these are */
	struct sym_code code;		/* of o, where it was looked up last */
	const struct prov_ufunc *chosen;	/* NULL: none yet */
};

/* From addresses as linked to those in the process; false: it is not mapped. */
static bool
find_bias(const struct prov_process *p, const struct prov_object *o,
	  uint64_t *ret)
{
	uint64_t linked;

	for (size_t i = 0; i < p->maps.n; i++) {
		const struct prov_mapping *m = &p->maps.v[i];
		if (m->object != o || !prov_mapping_linked(m, &linked))
			continue;
		*ret = m->start - linked;
		return true;
	}
	return false;
}

/* What is no function of the same file is none that was chosen: the way to a linker
 * that has not been asked yet, another file's function, or nothing. */
static const struct prov_ufunc *
function_of(struct choosing *c, uint64_t addr)
{
	const struct prov_ufunc *f;
	uint64_t bias, offset;

	if (!find_bias(c->p, c->o, &bias) ||
	    !sym_elf_code(c->o->fd, addr - bias, &c->code))
		return NULL;
	offset = addr - bias - c->code.addr + c->code.offset;
	f = prov_user_function_at(c->o, offset);
	return f && f->offset == offset && !f->is_resolver ? f : NULL;
}

static struct err *
on_slot(void *ctx, const struct sym_slot *slot)
{
	struct choosing *c = ctx;
	uint64_t value;

	if (!c->chosen && (c->name ? slot->name && !strcmp(slot->name, c->name)
				   : slot->resolver == c->resolver->value) &&
	    pread(c->memory, &value, sizeof(value),
		  (off_t)(slot->addr + c->bias)) == sizeof(value))
		c->chosen = function_of(c, value);
	return NULL;
}

static struct err *
look_everywhere(struct choosing *c)
{
	for (size_t i = 0; i < c->p->maps.n && !c->chosen; i++) {
		const struct prov_object *o = c->p->maps.v[i].object;
		if (find_bias(c->p, o, &c->bias))
			TRY(sym_elf_slots(o->fd, on_slot, c));
	}
	return NULL;
}

/* It has the name that it is called by. */
static struct err *
make(const struct choosing *c, struct prov_ufunc **ret)
{
	struct prov_ufunc *f = ARENA_NEW(c->s->arena, struct prov_ufunc);

	if (!f)
		return &err_nomem;
	*f = *c->chosen;
	f->name = c->resolver->name;
	f->has_plain = true;
	f->plain = f->bare = NULL;
	f->is_alias = false;
	*ret = f;
	return NULL;
}

struct err *
prov_pid_chosen(struct prov_set *s, const struct prov_process *p,
		struct prov_object *o, const struct prov_ufunc *resolver,
		bool everywhere, struct prov_ufunc **ret)
{
	struct choosing c = { .s = s, .p = p, .o = o, .resolver = resolver };
	char path[32];

	*ret = NULL;
	snprintf(path, sizeof(path), "/proc/%d/mem", sym_living(p->own));
	CLEANUP(util_closep) int memory = open(path, O_RDONLY | O_CLOEXEC);
	c.memory = memory;
	if (memory < 0 || !find_bias(p, o, &c.bias))
		return NULL;
	TRY(sym_elf_slots(o->fd, on_slot, &c));
	c.name = resolver->name;
	if (everywhere)
		TRY(look_everywhere(&c));
	return c.chosen ? make(&c, ret) : NULL;
}
