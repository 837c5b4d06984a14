/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF in two buffers, one of types and one of names, put behind a header at the
 * end.  Equal names share a place, as real producers have it; that aside, what
 * is asked for is written, whether it makes sense or not.
 */
#include <stdlib.h>
#include <string.h>

#include "btfwriter.h"

static void
put(struct btfw_buf *b, const void *p, size_t n)
{
	if (b->size + n > b->cap) {
		b->cap = (b->size + n) * 2;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			abort();
	}
	if (n)
		memcpy(b->p + b->size, p, n);
	b->size += n;
}

void
btfw_init(struct btfw *w)
{
	*w = (struct btfw){ .next_id = 1 };
	put(&w->strs, "", 1);
}

void
btfw_init_split(struct btfw *w, const struct btfw *base)
{
	*w = (struct btfw){
		.next_id = base->next_id,
		.first_str = base->first_str + (uint32_t)base->strs.size,
	};
}

void
btfw_fini(struct btfw *w)
{
	free(w->types.p);
	free(w->strs.p);
}

uint32_t
btfw_str(struct btfw *w, const char *s)
{
	size_t at = 0;

	if (!s || !*s)
		return 0;
	while (at < w->strs.size) {
		const char *have = (const char *)w->strs.p + at;
		if (strcmp(have, s) == 0)
			return w->first_str + (uint32_t)at;
		at += strlen(have) + 1;
	}
	put(&w->strs, s, strlen(s) + 1);
	return w->first_str + (uint32_t)at;
}

void
btfw_raw(struct btfw *w, const void *p, size_t size)
{
	put(&w->types, p, size);
}

uint32_t
btfw_record(struct btfw *w, uint32_t kind, bool flag, const char *name,
	    uint32_t size_or_type)
{
	uint32_t head[3] = {
		btfw_str(w, name), kind << 24 | (uint32_t)flag << 31,
		size_or_type,
	};

	w->last = w->types.size;
	btfw_raw(w, head, sizeof(head));
	return w->next_id++;
}

uint32_t
btfw_int_bits(struct btfw *w, const char *name, uint32_t size,
	      uint32_t encoding, uint32_t offset, uint32_t bits)
{
	uint32_t id = btfw_record(w, BTF_KIND_INT, false, name, size);
	uint32_t info = encoding << 24 | offset << 16 | bits;

	btfw_raw(w, &info, sizeof(info));
	return id;
}

uint32_t
btfw_int(struct btfw *w, const char *name, uint32_t size, uint32_t encoding)
{
	return btfw_int_bits(w, name, size, encoding, 0, size * 8);
}

uint32_t
btfw_array(struct btfw *w, uint32_t of, uint32_t nelems)
{
	uint32_t id = btfw_record(w, BTF_KIND_ARRAY, false, NULL, 0);
	struct btf_array a = { .type = of, .index_type = of,
			       .nelems = nelems };

	btfw_raw(w, &a, sizeof(a));
	return id;
}

/* One more entry in the last record. */
static void
entry(struct btfw *w, const void *p, size_t size)
{
	uint32_t info;

	btfw_raw(w, p, size);
	memcpy(&info, w->types.p + w->last + 4, sizeof(info));
	info++;
	memcpy(w->types.p + w->last + 4, &info, sizeof(info));
}

void
btfw_member(struct btfw *w, const char *name, uint32_t type,
	    uint32_t bit_offset, uint32_t bit_size)
{
	struct btf_member m = {
		.name_off = btfw_str(w, name), .type = type,
		.offset = bit_offset | bit_size << 24,
	};

	entry(w, &m, sizeof(m));
}

void
btfw_enum(struct btfw *w, const char *name, int32_t value)
{
	struct btf_enum e = { .name_off = btfw_str(w, name), .val = value };

	entry(w, &e, sizeof(e));
}

void
btfw_enum64(struct btfw *w, const char *name, int64_t value)
{
	struct btf_enum64 e = {
		.name_off = btfw_str(w, name),
		.val_lo32 = (uint32_t)value,
		.val_hi32 = (uint32_t)((uint64_t)value >> 32),
	};

	entry(w, &e, sizeof(e));
}

void
btfw_param(struct btfw *w, const char *name, uint32_t type)
{
	struct btf_param p = { .name_off = btfw_str(w, name), .type = type };

	entry(w, &p, sizeof(p));
}

uint8_t *
btfw_file(const struct btfw *w, size_t *size)
{
	struct btf_header h = {
		.magic = BTF_MAGIC, .version = BTF_VERSION,
		.hdr_len = sizeof(h), .type_len = (uint32_t)w->types.size,
		.str_off = (uint32_t)w->types.size,
		.str_len = (uint32_t)w->strs.size,
	};
	struct btfw_buf b = { 0 };

	put(&b, &h, sizeof(h));
	put(&b, w->types.p, w->types.size);
	put(&b, w->strs.p, w->strs.size);
	*size = b.size;
	return b.p;
}
