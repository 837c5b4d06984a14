/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Errors of clauses that come again.  A predicate that faults does so with every
 * firing, and what is told then is the same line a hundred thousand times, in
 * which nobody finds another.  So the first of one kind from one place is told,
 * and of the rest how many there were: once a second, and at the end.
 *
 * The same is what has the same clause of the same probe, instruction and fault;
 * the address may be another.  ERROR's clauses are not concerned: they ran in the
 * probe.
 */
#include <string.h>

#include "lib/turn_priv.h"
#include "util/arena.h"
#include "util/clock.h"

enum { TELL_NS = 1000000000 };

struct place {
	uint32_t epid, action;
	int32_t dif_offset, fault;
};

/* What came first, and how many since those that were told; count is e's. */
struct lib_repeat {
	struct lib_repeat *next;
	struct consume_event e;
	struct abi_error_record error;
};

static struct lib_repeat *
add_repeat(dtrace_hdl_t *h, const struct consume_event *e)
{
	struct lib_repeat *x = arena_alloc(h->a, sizeof(*x));

	if (!x)
		return NULL;
	*x = (struct lib_repeat){ h->repeats, *e, *e->error };
	x->e.error = &x->error;
	x->e.who = NULL;	/* the others may be other threads' */
	h->repeats = x;
	return x;
}

struct err *
lib_repeat_note(dtrace_hdl_t *h, const struct consume_event *e, bool *again)
{
	const struct abi_error_record *r = e->error;
	struct place p = { r->epid, r->action, r->dif_offset, r->fault };
	void **slot = hash_ref(&h->repeated, &p, sizeof(p));
	struct lib_repeat *x;

	if (!slot)
		return &err_nomem;
	x = *slot;
	*again = x != NULL;
	if (!h->repeats)
		h->next_repeat = clock_ns() + TELL_NS;
	if (!x) {
		*slot = add_repeat(h, e);
		return *slot ? NULL : &err_nomem;
	}
	x->e.count++;
	x->e.cpu = e->cpu;
	x->e.timestamp = e->timestamp;
	return NULL;
}

struct err *
lib_repeat_tell(dtrace_hdl_t *h, bool last)
{
	uint64_t now = clock_ns();

	if (!last && now < h->next_repeat)
		return NULL;
	h->next_repeat = now + TELL_NS;
	for (struct lib_repeat *x = h->repeats; x; x = x->next) {
		struct sb text;
		if (!x->e.count)
			continue;
		TRY(lib_text_flush(h));
		sb_init(&text, 4096);
		fmt_error_text(&x->e, &text);
		struct err *err = lib_error(h, &x->e, x->error.fault, &text,
					    NULL);
		sb_fini(&text);
		x->e.count = 0;
		TRY(err);
	}
	return NULL;
}
