/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is known of files and processes has to end some time: on a machine that builds and
 * runs programs all day, each of them is another file.  A file of which no process is
 * known any more has no addresses that anybody could ask for.  Those that have ended are
 * forgotten when files that are theirs alone take too much memory.
 *
 * This looks at everything, so it is for whoever has seen some megabytes come.
 */
#include "sym/process_priv.h"

static void
mark(struct objects *objects, const struct processes *processes)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&objects->by_key, &i)); ) {
		struct object *o = e->val;
		o->is_known = o->is_live = false;
	}
	for (size_t i = 0; (e = hash_next(&processes->by_pid, &i)); ) {
		const struct process *p = e->val;
		for (size_t k = 0; k < p->maps.n; k++) {
			struct object *o = p->maps.v[k].object;
			o->is_known = true;
			o->is_live |= !p->ended;
		}
	}
}

/* Bytes that nothing that lives needs. */
static size_t
size_of_ended(const struct objects *objects)
{
	struct hash_entry *e;
	size_t size = 0;

	for (size_t i = 0; (e = hash_next(&objects->by_key, &i)); ) {
		const struct object *o = e->val;
		size += o->is_live ? 0 : sym_object_size(o);
	}
	return size;
}

void
sym_release(struct objects *objects, struct processes *processes, size_t most)
{
	do {
		mark(objects, processes);
		sym_objects_drop_unknown(objects);
	} while (size_of_ended(objects) > most && sym_processes_forget(processes));
	objects->grown = 0;
}
