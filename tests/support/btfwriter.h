/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes BTF for tests, right or wrong: nothing is checked.  Types get ids in
 * the order of the calls.  Memory comes from malloc(), so that tests which
 * make our allocations fail do not hit the writer; running out aborts.
 */
#ifndef SUPPORT_BTFWRITER_H
#define SUPPORT_BTFWRITER_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btfw_buf {
	uint8_t *p;
	size_t size, cap;
};

struct btfw {
	struct btfw_buf types, strs;
	size_t last;		/* offset of the record being added to */
	uint32_t next_id, first_str;
};

void btfw_init(struct btfw *w);
/* Split BTF over a base that is complete. */
void btfw_init_split(struct btfw *w, const struct btfw *base);
void btfw_fini(struct btfw *w);
/* The file, to be freed with free(). */
uint8_t *btfw_file(const struct btfw *w, size_t *size);

/* The offset of s, added if need be; "" and NULL are 0. */
uint32_t btfw_str(struct btfw *w, const char *s);
/* Bytes behind the last record. */
void btfw_raw(struct btfw *w, const void *p, size_t size);

/* Each returns the new type's id. */
uint32_t btfw_record(struct btfw *w, uint32_t kind, bool flag,
		     const char *name, uint32_t size_or_type);
uint32_t btfw_int(struct btfw *w, const char *name, uint32_t size,
		  uint32_t encoding);
uint32_t btfw_int_bits(struct btfw *w, const char *name, uint32_t size,
		       uint32_t encoding, uint32_t offset, uint32_t bits);
uint32_t btfw_array(struct btfw *w, uint32_t of, uint32_t nelems);

/* Each adds to the last record, a struct or union, enum, enum64 or
 * prototype. */
void btfw_member(struct btfw *w, const char *name, uint32_t type,
		 uint32_t bit_offset, uint32_t bit_size);
void btfw_enum(struct btfw *w, const char *name, int32_t value);
void btfw_enum64(struct btfw *w, const char *name, int64_t value);
void btfw_param(struct btfw *w, const char *name, uint32_t type);

/* One type of every kind, most reached through struct "all" (btfsample.c). */
void btfw_sample(struct btfw *w);

#endif
