/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is said of faults and of drops.
 */
#include "fmt/fmt_priv.h"

static const struct fault {
	int32_t no;
	bool has_value;
	const char *name, *text;
} faults[] = {
#define FAULT(name, no, has_value, text) { no, has_value, #name, text },
#include "abi/fault.def"
#undef FAULT
};

static const struct drop {
	const char *tag, *one, *many;
} drops[] = {
#define DROP(name, per_cpu, one, many) [ABI_DROP_##name] = { #name, one, many },
#include "abi/drop.def"
#undef DROP
};

static const struct fault *
find_fault(int32_t no)
{
	for (size_t i = 0; i < BASE_NELEMS(faults); i++)
		if (faults[i].no == no)
			return &faults[i];
	return &faults[0];	/* unknown */
}

const char *
fmt_fault_name(int fault)
{
	return find_fault(fault)->name;
}

const char *
fmt_drop_name(enum abi_drop drop)
{
	return drops[drop].tag;
}

static void
put_probe(const struct consume_probe *p, struct sb *b)
{
	static const struct consume_probe none;

	if (!p)
		p = &none;
	sb_printf(b, "(ID %u: %s:%s:%s:%s)", p->id, p->prov ? p->prov : "",
		  p->mod ? p->mod : "", p->func ? p->func : "",
		  p->name ? p->name : "");
}

/* v with a comma between each three digits. */
static void
put_grouped(uint64_t v, struct sb *b)
{
	if (v >= 1000) {
		put_grouped(v / 1000, b);
		sb_printf(b, ",%03u", (unsigned)(v % 1000));
	} else {
		sb_dec(b, (int64_t)v, 0);
	}
}

void
fmt_error_text(const struct consume_event *e, struct sb *b)
{
	const struct abi_error_record *r = e->error;
	const struct fault *fault = find_fault(r->fault);

	sb_printf(b, "error on enabled probe ID %u ", r->epid);
	put_probe(e->probe, b);
	sb_printf(b, ": %s", fault->text);
	if (fault->has_value && !e->count)	/* else each has its own */
		sb_printf(b, " (0x%llx)", (unsigned long long)r->value);
	if (r->action)
		sb_printf(b, " in action #%u", r->action);
	else
		sb_puts(b, " in predicate");
	if (r->dif_offset >= 0)
		sb_printf(b, " at DIF offset %d", r->dif_offset);
	if (e->file)
		sb_printf(b, ", \"%s\"", e->file);
	if (r->place)
		sb_printf(b, ", line %u", abi_place_line(r->place));
	if (e->count) {
		sb_puts(b, " ... ");
		put_grouped(e->count, b);
		sb_puts(b, e->count == 1 ? " more time" : " more times");
	}
}

void
fmt_act_error_text(const struct consume_event *e, const char *what,
		   struct sb *b)
{
	sb_printf(b, "error on enabled probe ID %u ", e->epid_no);
	put_probe(e->probe, b);
	sb_printf(b, ": %s", what);
}

void
fmt_drop_text(const struct consume_event *e, bool droptags, struct sb *b)
{
	const struct drop *d = &drops[e->drop];

	if (droptags)
		sb_printf(b, "[DTRACEDROP_%s] ", d->tag);
	sb_printf(b, "%llu %s", (unsigned long long)e->count,
		  e->count == 1 ? d->one : d->many);
	if (abi_drop_per_cpu(e->drop))
		sb_printf(b, " on CPU %u", e->cpu);
}
