/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Values by the kind of their field.  Numbers and texts are themselves; what has
 * parts (places, stacks, bytes) is members of an object, so that it can stand in
 * output[] and among keys alike.
 */
#include <string.h>

#include "abi/quant.h"
#include "fmt/field_priv.h"
#include "fmt/jvalue.h"

enum { NAME_MAX_SIZE = 1 << 22 };	/* of a symbol, demangled */

static void
put_place(struct fmt_j *j, const char *key, const struct sym_place *p)
{
	struct sym_place plain = *p;	/* its line is a member of its own */
	struct sb text;

	plain.line = 0;
	plain.is_inlined = false;
	sb_init(&text, NAME_MAX_SIZE);
	sym_place_print(&plain, &text);
	fmt_j_key_str(j, key, sb_str(&text));
	j->b->failed |= text.failed;
	sb_fini(&text);
}

/* An address and what it lies in; key: what the text of the whole is called,
 * object: what its module is. */
static void
put_address(struct fmt_j *j, const char *key, const char *object,
	    const struct sym_place *p)
{
	put_place(j, key, p);
	if (p->module)
		fmt_j_key_str(j, object, p->module);
	if (p->function) {
		fmt_j_key_str(j, "name", p->function);
		fmt_j_key(j, "offset");
		fmt_j_uint(j, p->offset);
	}
	fmt_j_key(j, "address");
	fmt_j_uint(j, p->addr);
}

static void
put_frame(struct fmt_j *j, const struct sym_place *p)
{
	fmt_j_open(j, true);
	put_address(j, "symbol", "module", p);
	if (p->line) {
		fmt_j_key_str(j, "file", p->file);
		fmt_j_key_int(j, "line", p->line);
	}
	if (p->is_inlined) {
		fmt_j_key(j, "inlined");
		fmt_j_raw(j, "true", 4);
	}
	fmt_j_close(j);
}

static void
put_frames(const struct fmt *f, struct fmt_j *j, const struct abi_field *d,
	   const uint8_t *base)
{
	bool user = fmt_is_user(d);
	struct sym_place p, one;

	if (user)		/* its upper half is no part of the number */
		fmt_j_key_int(j, "pid", (int32_t)fmt_field_word(d, base, 0));
	fmt_j_key(j, user ? "ustack-frames" : "stack-frames");
	fmt_j_open(j, false);
	for (unsigned no = 0; fmt_find_frame(f, d, base, no, &p); no++)
		for (size_t i = 0; sym_place_unfold(&p, i, &one); i++)
			put_frame(j, &one);
	fmt_j_close(j);
}

/* What a symbol is called: by what the action is. */
static const char *
symbol_key(uint8_t kind)
{
	switch (kind) {
	case ABI_FIELD_SYM: return "sym";
	case ABI_FIELD_MOD: return "mod";
	case ABI_FIELD_USYM: return "usym";
	case ABI_FIELD_UMOD: return "umod";
	default: return "uaddr";
	}
}

static void
put_symbol(const struct fmt *f, struct fmt_j *j, const struct abi_field *d,
	   const uint8_t *base)
{
	bool mod = d->kind == ABI_FIELD_MOD || d->kind == ABI_FIELD_UMOD;
	struct sym_place p;
	struct sb text;

	if (fmt_is_user(d))
		fmt_j_key_int(j, "pid", (int64_t)fmt_field_word(d, base, 0));
	fmt_find_place(f, d, base, fmt_field_addr(d, base), &p);
	if (!mod) {
		put_address(j, symbol_key(d->kind), "object", &p);
		return;
	}
	sb_init(&text, NAME_MAX_SIZE);
	fmt_symbol(f, d, base, &text);
	fmt_j_key_str(j, symbol_key(d->kind), sb_str(&text));
	j->b->failed |= text.failed;
	sb_fini(&text);
	fmt_j_key(j, "address");
	fmt_j_uint(j, p.addr);
}

static bool
is_number(const struct abi_field *d)
{
	return d->kind == ABI_FIELD_INT && (d->size == 1 || d->size == 2 ||
					    d->size == 4 || d->size == 8);
}

static bool
has_text(const struct fmt *f, const struct abi_field *d, const uint8_t *base)
{
	if (d->kind == ABI_FIELD_STRING || d->kind == ABI_FIELD_PROBE)
		return true;
	return d->kind == ABI_FIELD_BYTES && !fmt_on(f, OPT_RAWBYTES) &&
	       fmt_bytes_are_text(base + d->offset, d->size);
}

static void
put_number(struct fmt_j *j, const struct abi_field *d, const uint8_t *base)
{
	struct fmt_int n = fmt_field_int(d, base);

	if (n.is_signed)
		fmt_j_int(j, (int64_t)n.v);
	else
		fmt_j_uint(j, n.v);
}

/* A value that is no number and no text, as members of an object. */
static void
put_members(const struct fmt *f, struct fmt_j *j, const struct abi_field *d,
	    const uint8_t *base)
{
	switch (d->kind) {
	case ABI_FIELD_STACK:
	case ABI_FIELD_USTACK: put_frames(f, j, d, base); break;
	case ABI_FIELD_INT:
	case ABI_FIELD_BYTES:
		fmt_j_key(j, "bytes");
		fmt_j_hex(j, base + d->offset, d->size);
		break;
	default: put_symbol(f, j, d, base);
	}
}

static void
put_float(struct fmt_j *j, const struct abi_field *d, const uint8_t *base)
{
	char text[64];

	fmt_float_text(d, base, text);
	fmt_j_float(j, text);
}

void
fmt_j_value(const struct fmt *f, struct fmt_j *j, const struct abi_field *d,
	    const uint8_t *base)
{
	fmt_j_open(j, true);
	if (fmt_is_float(d)) {
		fmt_j_key(j, "value");
		put_float(j, d, base);
	} else if (is_number(d)) {
		fmt_j_key(j, "value");
		put_number(j, d, base);
	} else if (has_text(f, d, base)) {
		struct base_span s = fmt_field_text(f, d, base);
		fmt_j_member(j, "value", s.p, s.n);
	} else {
		put_members(f, j, d, base);
	}
	fmt_j_close(j);
}

/* --- Elements of aggregations --------------------------------------------- */

/* One key; false: a string that is not UTF-8. */
static bool
put_key(const struct fmt *f, struct fmt_j *j, const struct abi_field *d,
	const uint8_t *key)
{
	if (fmt_is_float(d)) {
		put_float(j, d, key);
	} else if (is_number(d)) {
		put_number(j, d, key);
	} else if (has_text(f, d, key)) {
		struct base_span s = fmt_field_text(f, d, key);
		return fmt_j_text(j, s.p, s.n);
	} else {
		fmt_j_open(j, true);
		put_members(f, j, d, key);
		fmt_j_close(j);
	}
	return true;
}

/* The keys that are strings, byte by byte; null for the others. */
static void
put_hex_keys(const struct fmt *f, struct fmt_j *j,
	     const struct abi_agg_desc *d, const uint8_t *key)
{
	fmt_j_key(j, "keys-hex");
	fmt_j_open(j, false);
	for (uint32_t i = 0; i < d->nkeys; i++) {
		struct base_span s = fmt_field_text(f, &d->keys[i], key);
		if (!fmt_is_float(&d->keys[i]) && has_text(f, &d->keys[i], key))
			fmt_j_hex(j, s.p, s.n);
		else
			fmt_j_raw(j, "null", 4);
	}
	fmt_j_close(j);
}

static void
put_keys(const struct fmt *f, struct fmt_j *j, const struct abi_agg_desc *d,
	 const uint8_t *key)
{
	bool sound = true;

	fmt_j_key(j, "keys");
	fmt_j_open(j, false);
	for (uint32_t i = 0; i < d->nkeys; i++)
		sound &= put_key(f, j, &d->keys[i], key);
	fmt_j_close(j);
	if (!sound)
		put_hex_keys(f, j, d, key);
}

static void
put_bucket(struct fmt_j *j, const struct abi_agg_desc *d, uint32_t i,
	   int64_t count)
{
	bool has_low, has_high;
	int64_t low, high;

	fmt_bucket_range(d, i, &low, &has_low, &high, &has_high);
	fmt_j_open(j, true);
	fmt_j_key_int(j, "value", consume_bucket_value(d, i));
	if (has_low)
		fmt_j_key_int(j, "min", low);
	if (has_high)
		fmt_j_key_int(j, "max", high);
	fmt_j_key_int(j, "count", count);
	fmt_j_close(j);
}

void
fmt_j_element(const struct fmt *f, struct fmt_j *j,
	      const struct consume_agg *g, const struct consume_elem *e)
{
	const struct abi_agg_desc *d = g->desc;

	fmt_j_open(j, true);
	put_keys(f, j, d, e->key);
	if (!consume_is_histogram(d)) {
		fmt_j_key_int(j, abi_agg_name(d->func), consume_agg_value(g, e));
	} else {
		fmt_j_key(j, "buckets");
		fmt_j_open(j, false);
		for (uint32_t i = 0; i < d->ncells; i++)
			if (e->cells[i])
				put_bucket(j, d, i, consume_normalize(
					(int64_t)e->cells[i], g->normal));
		fmt_j_close(j);
	}
	fmt_j_close(j);
}
