/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Running pieces of a program on both engines and comparing what they did.
 *
 * Addresses differ between the engines.  The value of a fault that is an
 * address of the interpreter's own memory must on the other side be an
 * address of the kernel's; other values must be equal.
 */
#include <assert.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diff_priv.h"
#include "kern/map.h"
#include "support/loads.h"

void
diff_note(struct diff *d, const struct diff_clause *c, const char *fmt, ...)
{
	va_list ap;

	if (d->differences++ > 40)
		return;
	va_start(ap, fmt);
	char *text = arena_vprintf(d->a, fmt, ap);
	va_end(ap);
	const char *name = c ? c->name : "program";
	if (d->held || d->notes)
		sb_printf(d->held ? d->held : d->notes, "%s%s: %s\n",
			  d->notes ? "" : "# ", name, text);
	else
		printf("# %s: %s\n", name, text);
}

void
diff_log_add(struct diff_log *l, const void *p, size_t size)
{
	struct diff_event e = { (uint32_t)size, util_alloc(size) };

	if (!e.p || !vec_push(&l->events, e))
		diff_die("out of memory");
	memcpy(e.p, p, size);
}

void
diff_log_clear(struct diff_log *l)
{
	for (size_t i = 0; i < l->events.n; i++)
		util_free(l->events.v[i].p);
	l->events.n = 0;
}

/* --- The plan ------------------------------------------------------------------ */

static void
lay_out(struct diff_clause *c)
{
	struct abi_clause_desc *desc = &c->clause.desc;
	uint64_t at = sizeof(struct abi_record) + c->nbranches;

	for (size_t i = 0; i < c->fields.n; i++) {
		struct abi_field *f = &c->fields.v[i];
		at = base_align(at, f->align);
		f->offset = (uint32_t)at;
		at += f->size;
	}
	*desc = (struct abi_clause_desc){
		.record_size = c->fields.n ? (uint32_t)base_align(at, 8) : 0,
		.nbranches = c->nbranches, .nactions = (uint16_t)c->actions.n,
		.nfields = (uint32_t)c->fields.n,
		.actions = c->actions.v, .fields = c->fields.v,
	};
}

static void
make_plan(struct diff *d)
{
	size_t n = d->clauses.n;

	d->plan_clauses = ARENA_ARRAY(d->a, struct plan_clause, n + 1);
	if (!d->plan_clauses)
		diff_die("out of memory");
	for (size_t i = 0; i < n; i++) {
		lay_out(d->clauses.v[i]);
		d->plan_clauses[i] = d->clauses.v[i]->clause;
	}
	d->plan = (struct plan_prog){
		.clauses = d->plan_clauses, .nclauses = (uint32_t)n,
		.vars = d->vars.v, .nvars = (uint32_t)d->vars.n,
		.aggs = d->aggs.v, .naggs = (uint32_t)d->aggs.n,
		.strsize = d->strsize,
	};
}

void
diff_point_init(struct diff_point *p, const char *target, bool has_errno)
{
	*p = (struct diff_point){
		.point = {
			.attach = ABI_ATTACH_RUN, .find = ABI_FIND_ONE,
			.target = target,
			.errno_arg = { .kind = has_errno ? ABI_ARG_CTX :
				       ABI_ARG_NONE, .size = 8, .off = 80 },
		},
		.nprobes = 1, .has_errno = has_errno,
	};
	for (int i = 0; i < ABI_NARGS; i++)
		p->point.args[i] = (struct abi_arg){
			.kind = ABI_ARG_CTX, .size = 8, .off = i * 8 };
}

static void
make_point(struct diff *d)
{
	diff_point_init(&d->points[0], "diff", d->has_errno);
	d->npoints = 1;
	d->points[0].probes[0] = (struct plan_probe){
		.id = PROBE_ID, .part = { "diff", "module", "function", "name" },
	};
	d->error = (struct plan_probe){
		.id = ERROR_ID, .part = { "dtrace", "", "", "ERROR" },
	};
}

const struct plan_probe *
diff_probe(const struct diff *d, unsigned no, const struct diff_point **point)
{
	for (uint32_t i = 0; i < d->npoints; i++) {
		*point = &d->points[i];
		if (no < (*point)->nprobes)
			return &(*point)->probes[no];
		no -= (*point)->nprobes;
	}
	diff_die("no such probe");
	return NULL;
}

/* --- Comparing -------------------------------------------------------------------- */

enum { MAX_TRIES = 6 };

struct pair {
	struct diff *d;
	struct diff_vm vm;
	struct diff_kern kern;
	unsigned firing;
};

static struct diff_clause *
clause_of(const struct pair *p, uint32_t epid)
{
	if (!epid || epid > p->kern.code->nepids)
		return NULL;
	uint32_t i = p->kern.code->epids[epid - 1].clause;
	return i < p->d->clauses.n ? p->d->clauses.v[i] : NULL;
}

/* The clause that an event is about. */
static struct diff_clause *
event_clause(const struct pair *p, const struct diff_event *e)
{
	const struct abi_record *r = (void *)e->p;
	const struct abi_error_record *err = (void *)e->p;

	if (e->size < sizeof(*r))
		return NULL;
	return clause_of(p, r->epid == ABI_EPID_ERROR ? err->epid : r->epid);
}

static void
hex(char *out, size_t n, const uint8_t *p, uint32_t size)
{
	size_t at = 0;

	for (uint32_t i = 0; i < size && at + 4 < n; i++)
		at += (size_t)snprintf(out + at, n - at, "%02x", p[i]);
}

static void
differ(struct pair *p, struct diff_clause *c, const struct abi_field *f,
       const uint8_t *v, const uint8_t *k)
{
	char a[200], b[200];
	uint64_t x = 0, y = 0;

	if (f->kind == ABI_FIELD_STRING) {
		diff_note(p->d, c, "firing %u: vm \"%.*s\", kernel \"%.*s\"",
			  p->firing, (int)f->size, v, (int)f->size, k);
	} else if (f->size <= 8) {
		memcpy(&x, v, f->size);
		memcpy(&y, k, f->size);
		diff_note(p->d, c, "firing %u: vm %#" PRIx64 ", kernel %#"
			  PRIx64, p->firing, x, y);
	} else {
		hex(a, sizeof(a), v, f->size);
		hex(b, sizeof(b), k, f->size);
		diff_note(p->d, c, "firing %u: vm %s, kernel %s", p->firing,
			  a, b);
	}
}

static bool
field_is_same(const struct abi_field *f, const uint8_t *v, const uint8_t *k)
{
	if (f->kind == ABI_FIELD_STRING)
		return memchr(k, 0, f->size) &&
		       !strcmp((const char *)v, (const char *)k);
	return !memcmp(v, k, f->size);
}

static void
compare_who(struct pair *p, struct diff_clause *c, const uint8_t *v,
	    const uint8_t *k)
{
	if (memcmp(v, k, sizeof(struct abi_who)))
		diff_note(p->d, c, "firing %u: vm and kernel differ on who",
			  p->firing);
}

static void
compare_fields(struct pair *p, struct diff_clause *c,
	       const struct abi_action *a, const uint8_t *v, const uint8_t *k)
{
	for (uint32_t n = 0; n < a->nfields; n++) {
		const struct abi_field *f =
			&c->clause.desc.fields[a->field + n];
		if (!field_is_same(f, v + f->offset, k + f->offset))
			differ(p, c, f, v + f->offset, k + f->offset);
	}
}

/* What a clause with loops has recorded, entry by entry. */
static void
compare_log(struct pair *p, struct diff_clause *c, const uint8_t *v,
	    const uint8_t *k)
{
	const struct abi_clause_desc *desc = &c->clause.desc;
	uint32_t size = ((const struct abi_record *)v)->size;
	const struct abi_entry *e;

	if (((const struct abi_record *)k)->size != size) {
		diff_note(p->d, c, "firing %u: vm has %u bytes, kernel %u",
			  p->firing, size,
			  ((const struct abi_record *)k)->size);
		return;
	}
	for (uint32_t at = abi_log_start(desc); at < size; at += e->size) {
		e = (const void *)(v + at);
		if (memcmp(e, k + at, sizeof(*e))) {
			diff_note(p->d, c, "firing %u: entries differ",
				  p->firing);
			return;
		}
		if (!c->loose)
			compare_fields(p, c, &desc->actions[e->action], v + at,
				       k + at);
	}
}

static void
compare_record(struct pair *p, struct diff_clause *c, const uint8_t *v,
	       const uint8_t *k)
{
	const struct abi_clause_desc *desc = &c->clause.desc;
	const struct abi_record *r = (const void *)k;

	if (r->timestamp < p->kern.before || r->timestamp > p->kern.after)
		diff_note(p->d, c, "timestamp out of range");
	if (desc->spec && memcmp(v + desc->spec, k + desc->spec, 8)) {
		diff_note(p->d, c, "firing %u: tags differ", p->firing);
		return;
	}
	if (desc->who)
		compare_who(p, c, v + desc->who, k + desc->who);
	if (desc->is_log) {
		compare_log(p, c, v, k);
		return;
	}
	if (memcmp(v + sizeof(*r), k + sizeof(*r), desc->nbranches)) {
		diff_note(p->d, c, "firing %u: branch bytes differ",
			  p->firing);
		return;
	}
	for (uint32_t i = 0; i < desc->nactions && !c->loose; i++) {
		const struct abi_action *a = &desc->actions[i];
		if (a->branch && !v[sizeof(*r) + a->branch - 1])
			continue;	/* not run */
		compare_fields(p, c, a, v, k);
	}
}

static bool
value_is_same(const struct pair *p, uint64_t v, uint64_t k)
{
	return v == k || (diff_vm_owns(&p->vm, v) && k >= 1ULL << 63);
}

static void
compare_error(struct pair *p, struct diff_clause *c, const void *pv,
	      const void *pk)
{
	const struct abi_error_record *v = pv, *k = pk;

	if (v->hdr.size > sizeof(*v))
		compare_who(p, c, (const void *)(v + 1), (const void *)(k + 1));
	if (v->action == k->action && v->dif_offset == k->dif_offset &&
	    v->fault == k->fault && v->place == k->place && value_is_same(p, v->value, k->value))
		return;
	diff_note(p->d, c, "firing %u: vm fault %d value %#" PRIx64
		  " offset %d action %u, kernel fault %d value %#" PRIx64
		  " offset %d action %u", p->firing, v->fault, v->value,
		  v->dif_offset, v->action, k->fault, k->value, k->dif_offset,
		  k->action);
}

static void
compare_end(struct pair *p, const void *pv, const void *pk)
{
	const struct abi_spec_end *v = pv, *k = pk;

	if (v->tag != k->tag)
		diff_note(p->d, NULL, "firing %u: end of vm's %#" PRIx64
			  ", kernel's %#" PRIx64, p->firing, v->tag, k->tag);
}

static const char *
what(const struct diff_event *e, char *buf, size_t size)
{
	const struct abi_error_record *r = (void *)e->p;

	if (r->hdr.epid == ABI_EPID_ERROR)
		snprintf(buf, size, "fault %d value %#" PRIx64 " offset %d",
			 r->fault, r->value, r->dif_offset);
	else if (r->hdr.epid == ABI_EPID_SPEC_END)
		snprintf(buf, size, "an end");
	else
		snprintf(buf, size, "a record");
	return buf;
}

static void
compare_event(struct pair *p, const struct diff_event *v,
	      const struct diff_event *k)
{
	const struct abi_record *rv = (void *)v->p, *rk = (void *)k->p;
	struct diff_clause *c = event_clause(p, v);
	char a[100], b[100];

	if (rv->epid == ABI_EPID_ERROR)
		p->d->count.faults++;
	else
		p->d->count.records++;
	if (v->size != k->size || rv->epid != rk->epid ||
	    rv->size != rk->size || c != event_clause(p, k)) {
		diff_note(p->d, c, "firing %u: vm %s, kernel %s", p->firing,
			  what(v, a, sizeof(a)), what(k, b, sizeof(b)));
		return;
	}
	if (rv->epid == ABI_EPID_ERROR)
		compare_error(p, c, v->p, k->p);
	else if (rv->epid == ABI_EPID_SPEC_END)
		compare_end(p, v->p, k->p);
	else
		compare_record(p, c, v->p, k->p);
}

/* Events of one clause, which may lack on one side, are put side by side. */
static void
compare_logs(struct pair *p)
{
	struct diff_event *v = p->vm.log.events.v, *k = p->kern.log.events.v;
	size_t nv = p->vm.log.events.n, nk = p->kern.log.events.n;
	size_t i = 0, j = 0;
	char buf[100];

	while (i < nv || j < nk) {
		struct diff_clause *a = i < nv ? event_clause(p, &v[i]) : NULL;
		struct diff_clause *b = j < nk ? event_clause(p, &k[j]) : NULL;
		if (i < nv && j < nk && a == b) {
			compare_event(p, &v[i++], &k[j++]);
		} else if (i < nv && (j == nk || !b ||
				      (a && a->index < b->index))) {
			diff_note(p->d, a, "firing %u: vm %s, kernel nothing",
				  p->firing, what(&v[i++], buf, sizeof(buf)));
		} else {
			diff_note(p->d, b, "firing %u: vm nothing, kernel %s",
				  p->firing, what(&k[j++], buf, sizeof(buf)));
		}
	}
}

static void
keep_records(struct pair *p)
{
	for (size_t i = 0; i < p->d->clauses.n; i++) {
		util_free(p->d->clauses.v[i]->recorded);
		p->d->clauses.v[i]->recorded = NULL;
	}
	for (size_t i = 0; i < p->kern.log.events.n; i++) {
		struct diff_event *e = &p->kern.log.events.v[i];
		struct diff_clause *c = event_clause(p, e);
		if (!c || ((struct abi_record *)e->p)->epid == ABI_EPID_ERROR)
			continue;
		util_free(c->recorded);
		c->recorded = (void *)e->p;
		e->p = NULL;
	}
	p->d->before = p->kern.before;
	p->d->after = p->kern.after;
}

/* --- Aggregations and drops ---------------------------------------------------------- */

static const struct diff_group *
group(const struct pair *p, uint32_t agg, const void *key, uint32_t size)
{
	for (size_t i = 0; i < p->vm.groups.n; i++)
		if (p->vm.groups.v[i].agg == agg &&
		    !memcmp(p->vm.groups.v[i].key, key, size))
			return &p->vm.groups.v[i];
	return NULL;
}

static void
compare_cells(struct pair *p, const struct abi_agg_desc *a, const uint64_t *v,
	      const uint64_t *k)
{
	for (uint32_t i = 0; i < a->ncells; i++)
		if (v[i] != k[i]) {
			diff_note(p->d, NULL, "aggregation %u: cell %u: vm %#"
				  PRIx64 ", kernel %#" PRIx64, a->id, i, v[i],
				  k[i]);
			return;
		}
}

/* Pieces of one key are put together: the vm has all in one. */
struct drain {
	struct pair *p;
	const struct ebpf_aggmap *map;
	struct diff_group *all;		/* owned, with their keys and cells */
	size_t n;
};

static struct diff_group *
whole(struct drain *dr, const struct abi_agg_desc *a, const void *key)
{
	for (size_t i = 0; i < dr->n; i++)
		if (dr->all[i].agg == a->id &&
		    !memcmp(dr->all[i].key, key, a->key_size))
			return &dr->all[i];
	dr->all = realloc(dr->all, (dr->n + 1) * sizeof(*dr->all));
	assert(dr->all);
	struct diff_group *g = &dr->all[dr->n++];
	*g = (struct diff_group){ .agg = a->id, .key = malloc(a->key_size),
				  .cells = calloc(a->ncells, 8) };
	assert(g->key && g->cells);
	memcpy(g->key, key, a->key_size);
	return g;
}

static struct err *
drained(void *ctx, const void *key, const void *value)
{
	struct drain *dr = ctx;
	const struct ebpf_object *code = dr->p->kern.code;
	const uint64_t *cells = value;
	struct ebpf_piece piece;
	uint8_t full[65536];

	if (!ebpf_find_piece(dr->map, code->aggs, key, dr->p->kern.ncpus,
			     &piece)) {
		diff_note(dr->p->d, NULL, "a key is of no aggregation");
		return NULL;
	}
	const struct abi_agg_desc *a = &dr->p->d->plan.aggs[piece.agg];
	assert(a->key_size <= sizeof(full));
	if (dr->map->brief) {
		abi_brief_expand(a, key, full);
		key = full;
	}
	struct diff_group *g = whole(dr, a, key);
	for (uint32_t i = 0; i < abi_piece_cells(a); i++)
		if (piece.first + i < a->ncells)
			g->cells[piece.first + i] = cells[i];
	return NULL;
}

static void
compare_group(struct pair *p, const struct diff_group *k)
{
	const struct abi_agg_desc *a = &p->d->plan.aggs[k->agg - 1];
	const struct diff_group *g = group(p, k->agg, k->key, a->key_size);
	char text[200];

	hex(text, sizeof(text), k->key, a->key_size);
	if (g)
		compare_cells(p, a, g->cells, k->cells);
	else
		diff_note(p->d, NULL, "aggregation %u: vm has no key %s",
			  a->id, text);
}

static bool
is_keyed(const struct pair *p, uint32_t agg)
{
	return p->d->plan.aggs[agg - 1].nkeys;
}

/* Those that the code of this piece adds to. */
static void
compare_keyed(struct pair *p)
{
	struct drain dr = { p, NULL, NULL, 0 };
	size_t want = 0;

	for (uint32_t i = 0; i < p->kern.code->naggmaps; i++) {
		dr.map = &p->kern.code->aggmaps[i];
		int fd = kern_obj_map(p->kern.obj, dr.map->map[0]);
		if (fd >= 0)
			diff_must(kern_map_drain(fd,
				dr.map->key_size + ABI_TAG_SIZE,
				dr.map->ncells * 8, drained, &dr));
	}
	for (size_t i = 0; i < dr.n; i++)
		compare_group(p, &dr.all[i]);
	for (size_t i = 0; i < p->vm.groups.n; i++)
		want += is_keyed(p, p->vm.groups.v[i].agg);
	if (want != dr.n)
		diff_note(p->d, NULL, "vm has %zu keys, kernel %zu", want,
			  dr.n);
	for (size_t i = 0; i < dr.n; i++) {
		free(dr.all[i].key);
		free(dr.all[i].cells);
	}
	free(dr.all);
}

static void
compare_plain(struct pair *p, const struct abi_agg_desc *a)
{
	const struct diff_group *g = group(p, a->id, "", 0);

	if (!p->kern.agg_rows)
		return;
	const uint64_t *k = (const void *)(p->kern.agg_rows +
		(size_t)diff_cpu() * p->kern.code->agg_row +
		p->kern.code->aggs[a->id - 1].offset);
	if ((k[a->ncells] != 0) != (g != NULL))
		diff_note(p->d, NULL, "aggregation %u: touched on one side",
			  a->id);
	else if (g)
		compare_cells(p, a, g->cells, k);
}

static void
compare_drops(struct pair *p)
{
	static const char *const names[] = {
#define DROP(name, ...) #name,
#include "abi/drop.def"
#undef DROP
	};

	for (unsigned i = 0; i < ABI_NDROPS; i++) {
		uint64_t v = p->vm.vm.drops[i] + p->vm.drops[i];
		uint64_t k = p->kern.drops[diff_cpu() * DROP_ROW + i];
		if (v != k)
			diff_note(p->d, NULL, "drops %s: vm %" PRIu64
				  ", kernel %" PRIu64, names[i], v, k);
	}
}

/* --- Pieces --------------------------------------------------------------------------- */

/* When the kernel's probe fired; 0: it recorded nothing. */
static uint64_t
time_of(const struct diff_log *l)
{
	return l->events.n ? ((struct abi_record *)l->events.v[0].p)->timestamp
			   : 0;
}

static void
fire_all(struct pair *p, const struct diff_args *args, unsigned n)
{
	for (p->firing = 0; p->firing < n; p->firing++) {
		diff_log_clear(&p->vm.log);
		diff_log_clear(&p->kern.log);
		diff_kern_fire(&p->kern, &args[p->firing]);
		diff_vm_fire(&p->vm, &args[p->firing], p->kern.code,
			     time_of(&p->kern.log));
		compare_logs(p);
	}
	keep_records(p);
	for (uint32_t i = 0; i < p->d->plan.naggs; i++) {
		const struct abi_agg_desc *a = &p->d->plan.aggs[i];
		if (!a->nkeys)
			compare_plain(p, a);
	}
	compare_keyed(p);
	compare_drops(p);
}

/*
 * New elements take memory that the kernel has at hand, and it must not wait for
 * more.  When many are made at once, it may run short for a moment: drops that
 * say nothing of the engines.
 */
static bool
ran_short(const struct pair *p)
{
	const uint64_t *k = &p->kern.drops[diff_cpu() * DROP_ROW];
	const struct diff_vm *v = &p->vm;

	return k[ABI_DROP_AGGREGATION] > v->drops[ABI_DROP_AGGREGATION] +
					 v->vm.drops[ABI_DROP_AGGREGATION] ||
	       k[ABI_DROP_DYNAMIC] > v->vm.drops[ABI_DROP_DYNAMIC];
}

/* *again: nothing was learned. */
static struct err *
run_once(struct diff *d, const struct diff_args *args, unsigned n, bool *again)
{
	struct pair p = { .d = d };
	struct err *e = diff_kern_init(&p.kern, d);

	*again = false;
	if (!e) {
		diff_vm_init(&p.vm, d);
		fire_all(&p, args, n);
		*again = ran_short(&p);
		diff_vm_fini(&p.vm);
	}
	diff_kern_fini(&p.kern);
	return e;
}

struct err *
diff_run_whole(struct diff *d, const struct diff_args *args, unsigned n)
{
	unsigned tries = 0, before = d->differences;
	struct diff_count count = d->count;
	struct sb held;
	bool again;
	struct err *e;

	sb_init(&held, 1 << 20);
	d->held = &held;
	for (;;) {
		e = run_once(d, args, n, &again);
		if (!again || ++tries == MAX_TRIES)
			break;
		d->differences = before;
		d->count = count;
		sb_reset(&held);
		usleep(20000u << tries);
	}
	d->held = NULL;
	if (d->notes)
		sb_puts(d->notes, sb_str(&held));
	else
		fputs(sb_str(&held), stdout);
	sb_fini(&held);
	return e;
}

/* The clauses ids[0..n). */
static void
run_piece(struct diff *d, const uint32_t *ids, uint32_t n,
	  const struct diff_args *args, unsigned nargs)
{
	struct plan_probe *probe = &d->points[0].probes[0];

	probe->clauses = ids;
	probe->nclauses = n;
	struct err *e = diff_run_whole(d, args, nargs);
	if (!e)
		return;
	if (n > 1) {
		unsigned before = d->differences;
		run_piece(d, ids, n / 2, args, nargs);
		run_piece(d, ids + n / 2, n - n / 2, args, nargs);
		if (before == d->differences)
			diff_note(d, NULL, "does not load whole: %s", e->text);
	} else {
		diff_note(d, d->clauses.v[ids[0]], "does not load: %s",
			  e->text);
	}
	err_free(e);
}

unsigned
diff_run(struct diff *d, const struct diff_args *args, unsigned n)
{
	uint32_t *ids = ARENA_ARRAY(d->a, uint32_t, d->clauses.n + 1);
	uint32_t *errors = ARENA_ARRAY(d->a, uint32_t, d->clauses.n + 1);
	uint32_t nids = 0, nerrors = 0;

	make_plan(d);
	make_point(d);
	for (uint32_t i = 0; i < d->clauses.n; i++)
		if (d->clauses.v[i]->error)
			errors[nerrors++] = i;
		else
			ids[nids++] = i;
	d->error.clauses = errors;
	d->error.nclauses = nerrors;
	d->differences = 0;
	for (uint32_t at = 0; at < nids; at += d->batch)
		run_piece(d, ids + at, BASE_MIN(d->batch, nids - at), args, n);
	return d->differences;
}

unsigned
diff_run_once(struct diff *d)
{
	static const struct diff_args zero;

	return diff_run(d, &zero, 1);
}

unsigned
diff_finish(struct diff *d, const struct diff_args *args, unsigned n)
{
	unsigned bad = n ? diff_run(d, args, n) : diff_run_once(d);

	diff_free(d);
	return bad;
}

const void *
diff_recorded(struct diff *d, const struct diff_clause *c)
{
	return c->recorded;
}

void
diff_times(const struct diff *d, uint64_t *before, uint64_t *after)
{
	*before = d->before;
	*after = d->after;
}

/* --- The test program -------------------------------------------------------------------- */

static unsigned the_cpu;

unsigned
diff_cpu(void)
{
	return the_cpu;
}

/* Stay on the CPU we are on. */
static void
pin(void)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	the_cpu = cpu < 0 ? 0 : (unsigned)cpu;
	CPU_ZERO(&set);
	CPU_SET(the_cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		diff_die("cannot stay on one CPU");
}

int
diff_main(const struct diff_test *tests, unsigned n)
{
	struct err *e = kern_may_trace();
	int status = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (e && kernel_loads())
		diff_die("the kernel loads programs: %s", e->text);
	if (e) {
		printf("1..0 # SKIP %s\n", e->text);
		err_free(e);
		return 0;
	}
	pin();
	printf("1..%u\n", n);
	for (unsigned i = 0; i < n; i++) {
		unsigned bad = tests[i].run();
		printf("%sok %u - %s\n", bad ? "not " : "", i + 1,
		       tests[i].name);
		status |= bad != 0;
	}
	return status;
}
