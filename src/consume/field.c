/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "consume/consume_priv.h"

int64_t
consume_field_int(const struct abi_field *f, const void *base)
{
	const uint8_t *p = (const uint8_t *)base + f->offset;
	uint16_t v16;
	uint32_t v32;
	uint64_t v;

	switch (f->size) {
	case 1: v = *p; break;
	case 2: memcpy(&v16, p, 2); v = v16; break;
	case 4: memcpy(&v32, p, 4); v = v32; break;
	case 8: memcpy(&v, p, 8); break;
	default: return 0;
	}
	return f->is_signed ? base_sext(v, f->size * 8) : (int64_t)v;
}

const char *
consume_probe_part(const struct consume_meta *m, uint32_t probe,
		   enum abi_probe_part part)
{
	const struct consume_probe *p =
		m->probe ? m->probe(m->ctx, probe) : NULL;

	if (!p || (unsigned)part > ABI_PART_NAME)
		return "";
	const char *const parts[] = { p->prov, p->mod, p->func, p->name };
	return parts[part] ? parts[part] : "";
}

bool
consume_ran(const struct abi_record *r, const struct abi_action *a)
{
	return !a->branch || ((const uint8_t *)(r + 1))[a->branch - 1];
}
