/* SPDX-License-Identifier: BSD-2-Clause
 *
 * print() as JSON: the value as JSON has such, so that a reader says
 * `.value.at[1].x`.  A struct is an object, an array an array.  The parts of a
 * member without a name stand where it stands, as in C.
 *
 * The walk may go deeper than JSON's writer; what is below DEPTH_MAX is null.
 */
#include "fmt/field_priv.h"
#include "fmt/jtext.h"
#include "fmt/walk.h"
#include "type/text.h"

enum { DEPTH_MAX = 40 };

static bool
in_struct(const struct fmt_value *v)
{
	return v->parent && v->parent->kind == FMT_VALUE_STRUCT;
}

/* The name before the value, if it needs one. */
static void
lead(struct fmt_j *j, const struct fmt_value *v)
{
	if (!v->parent)
		fmt_j_key(j, "value");
	else if (in_struct(v))
		fmt_j_key(j, v->name ? v->name : "");
}

static void
put_real(struct fmt_j *j, const struct fmt_value *v)
{
	struct abi_field d = { .kind = ABI_FIELD_INT, .sub = ABI_MEANS_FLOAT,
			       .size = (uint32_t)type_size(v->type) };
	union { float f; double d; long double l; uint8_t bytes[16]; } u = {
		.bytes = { 0 } };
	char text[64];

	if (d.size == sizeof(u.f)) {
		u.f = (float)v->real;
	} else if (d.size == sizeof(u.d)) {
		u.d = (double)v->real;
	} else {
		d.kind = ABI_FIELD_BYTES;
		d.size = sizeof(u.l);
		u.l = v->real;
	}
	fmt_float_text(&d, u.bytes, text);
	fmt_j_float(j, text);
}

static bool
is_utf8(struct base_span s)
{
	size_t n;

	for (; s.n && (n = base_utf8(s.p, s.n)); s.n -= n)
		s.p += n;
	return !s.n;
}

/* An element of an array has no name for its bytes to stand beside. */
static void
put_text(struct fmt_j *j, const struct fmt_value *v)
{
	const char *name = v->parent ? v->name : "value";

	if (!v->parent || in_struct(v)) {
		fmt_j_member(j, name ? name : "", v->text.p, v->text.n);
	} else if (is_utf8(v->text)) {
		fmt_j_text(j, v->text.p, v->text.n);
	} else {
		fmt_j_open(j, true);
		fmt_j_key(j, "bytes");
		fmt_j_hex(j, v->text.p, v->text.n);
		fmt_j_close(j);
	}
}

static void
put_number(struct fmt_j *j, const struct fmt_value *v)
{
	if (v->kind == FMT_VALUE_ENUM && v->word)
		fmt_j_text(j, v->word, strlen(v->word));
	else if (type_is_integer(v->type) && type_is_signed(v->type))
		fmt_j_int(j, v->number);
	else
		fmt_j_uint(j, (uint64_t)v->number);
}

static void
leaf(void *ctx, const struct fmt_value *v)
{
	struct fmt_j *j = ctx;

	if (v->depth > DEPTH_MAX)
		return;
	if (v->kind == FMT_VALUE_TEXT) {
		put_text(j, v);
		return;
	}
	lead(j, v);
	if (v->kind == FMT_VALUE_FLOAT)
		put_real(j, v);
	else if (v->kind == FMT_VALUE_CUT)
		fmt_j_raw(j, "null", 4);
	else
		put_number(j, v);
}

static bool
is_merged(const struct fmt_value *v)
{
	return in_struct(v) && !v->name;
}

static void
open(void *ctx, const struct fmt_value *v)
{
	struct fmt_j *j = ctx;

	if (v->depth > DEPTH_MAX || is_merged(v))
		return;
	lead(j, v);
	if (v->depth == DEPTH_MAX)
		fmt_j_raw(j, "null", 4);
	else
		fmt_j_open(j, v->kind == FMT_VALUE_STRUCT);
}

static void
close(void *ctx, const struct fmt_value *v)
{
	if (v->depth < DEPTH_MAX && !is_merged(v))
		fmt_j_close(ctx);
}

void
fmt_j_print(const struct fmt *f, const struct abi_action *a,
	    const struct abi_field *fields, const uint8_t *base,
	    struct fmt_j *j)
{
	static const struct fmt_walk_ops ops = { leaf, open, close };
	struct sb name;

	if (!a->type)
		return;
	sb_init(&name, 4096);
	type_print(a->type, NULL, &name);
	fmt_j_open(j, true);
	fmt_j_member(j, "print", sb_str(&name), name.len);
	fmt_walk_action(f, a, fields, base, &ops, j);
	fmt_j_close(j);
	j->b->failed |= name.failed;
	sb_fini(&name);
}
