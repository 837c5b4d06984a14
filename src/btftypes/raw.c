/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF as bytes.  After the header come two sections: type records of varying
 * length, one behind the other, and NUL-terminated strings.  Types are named
 * by their position, so none can be found before a pass has noted where each
 * record starts.  It also notes each type's name, because searching 500 KB of
 * names is much faster than hopping through 3 MB of records.  The pass goes
 * only as far as a question makes it: what scripts ask for is what the kernel's
 * first files use, and stands at the front (task_struct is number 114).
 *
 * Measured on a kernel with 126,000 types in 5.5 MB: mapping 0.1 ms, the whole
 * pass 1.7 ms, against 9 to 27 ms just to read() the same file from sysfs.
 *
 * The pass proves that every record lies inside its section, and that every
 * kind is one we know; past it only ids and string offsets need checking.
 * A kind we do not know ends it with an error: its length is unknown, and
 * ids counted past it would be wrong without anybody noticing.
 */
#include <string.h>

#include "btftypes/btftypes_priv.h"
#include "util/alloc.h"

enum { HEAD_SIZE = sizeof(struct btf_type), NKINDS = BTF_KIND_ENUM64 + 1,
       STRIDE = 1024 };		/* records of a step of the pass */

/* Bytes behind the head: once, and for each of the vlen entries. */
static const struct {
	uint8_t once, each;
} tails[NKINDS] = {
	[BTF_KIND_INT] = { 4, 0 },
	[BTF_KIND_ARRAY] = { sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { 0, sizeof(struct btf_enum) },
	[BTF_KIND_FUNC_PROTO] = { 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_DECL_TAG] = { sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_ENUM64] = { 0, sizeof(struct btf_enum64) },
};

struct err *
btftypes_header(struct btftypes *b, const void *data, size_t size)
{
	struct btf_header h;

	if (size < sizeof(h))
		return err_new(ERR_FORMAT, 0, "BTF: %zu bytes are no header",
			       size);
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC)
		return err_new(ERR_FORMAT, 0, "BTF: wrong magic %#x", h.magic);
	if (h.version != BTF_VERSION)
		return err_new(ERR_UNSUPPORTED, 0, "BTF: version %u",
			       h.version);
	if (h.hdr_len < sizeof(h) || h.hdr_len > size)
		return err_new(ERR_FORMAT, 0, "BTF: header of %u bytes",
			       h.hdr_len);
	size -= h.hdr_len;
	if ((uint64_t)h.type_off + h.type_len > size ||
	    (uint64_t)h.str_off + h.str_len > size)
		return err_new(ERR_FORMAT, 0, "BTF: shorter than it claims");

	const uint8_t *body = (const uint8_t *)data + h.hdr_len;
	b->types = body + h.type_off;
	b->types_size = h.type_len;
	b->strs = (const char *)body + h.str_off;
	b->strs_size = h.str_len;
	if (b->strs_size && b->strs[b->strs_size - 1])
		return err_new(ERR_FORMAT, 0, "BTF: strings do not end");
	return NULL;
}

/* The length of the record at p with `room` bytes left, 0 when it is bad. */
static size_t
record_size(const uint8_t *p, size_t room)
{
	if (room < HEAD_SIZE)
		return 0;
	uint32_t info = btftypes_u32(p + offsetof(struct btf_type, info));
	uint32_t kind = BTF_INFO_KIND(info);
	if (kind == BTF_KIND_UNKN || kind >= NKINDS)
		return 0;
	size_t size = HEAD_SIZE + tails[kind].once +
		      (size_t)tails[kind].each * BTF_INFO_VLEN(info);
	return size <= room ? size : 0;
}

/* Note where the next records start and what they are called. */
static void
walk(struct btftypes *b)
{
	for (uint32_t n = 0; n < STRIDE && b->at < b->types_size; n++) {
		uint32_t i = b->end_id - b->first_id;
		size_t size = record_size(b->types + b->at,
					  b->types_size - b->at);
		b->bad = !size;
		if (b->bad)
			return;
		b->offsets[i] = b->at;
		b->names[i] = btftypes_u32(b->types + b->at);
		b->at += (uint32_t)size;
		b->end_id++;
	}
}

bool
btftypes_reach(struct btftypes *b, uint32_t id)
{
	while (id >= b->end_id && !b->bad && b->at < b->types_size)
		walk(b);
	return id < b->end_id;
}

void
btftypes_index_free(struct btftypes *b)
{
	util_free(b->offsets);
	util_free(b->names);
	util_free(b->nodes);
	b->offsets = b->names = NULL;
	b->nodes = NULL;
}

struct err *
btftypes_check(const struct btftypes *b)
{
	return b->bad ? err_new(ERR_FORMAT, 0, "BTF of %s: bad type %u",
				b->module, b->end_id) : NULL;
}

struct err *
btftypes_index(struct btftypes *b)
{
	if (b->offsets)
		return NULL;
	b->first_id = 1;
	b->first_str = 0;
	if (b->base) {
		TRY(btftypes_index(b->base));
		btftypes_reach(b->base, UINT32_MAX);
		TRY(btftypes_check(b->base));
		b->first_id = b->base->end_id;
		b->first_str = b->base->first_str + b->base->strs_size;
	}
	b->end_id = b->first_id;
	/* No record is shorter than its head. */
	size_t max = b->types_size / HEAD_SIZE;
	b->offsets = util_alloc(max * sizeof(*b->offsets));
	b->names = util_alloc(max * sizeof(*b->names));
	b->nodes = util_zalloc(max * sizeof(*b->nodes));
	if (b->offsets && b->names && b->nodes)
		return NULL;
	btftypes_index_free(b);
	return &err_nomem;
}

struct raw
btftypes_raw(const struct btftypes *b, uint32_t id)
{
	const uint8_t *p = b->types + b->offsets[id - b->first_id];
	uint32_t info = btftypes_u32(p + offsetof(struct btf_type, info));

	return (struct raw){
		.kind = BTF_INFO_KIND(info),
		.vlen = BTF_INFO_VLEN(info),
		.flag = BTF_INFO_KFLAG(info),
		.name = btftypes_u32(p),
		.arg = btftypes_u32(p + offsetof(struct btf_type, size)),
		.tail = p + HEAD_SIZE,
	};
}

struct btftypes *
btftypes_owner(struct btftypes *b, uint32_t id)
{
	while (b && id < b->first_id)
		b = b->base;
	return b && btftypes_reach(b, id) ? b : NULL;
}
