/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEST_BTFTYPES_H
#define TEST_BTFTYPES_H

#include "btftypes/btftypes_priv.h"

#include "btfwriter.h"

void test_bad_headers(void **state);
void test_bad_records(void **state);
void test_bad_graphs(void **state);
void test_deep(void **state);
void test_prefixes(void **state);
void test_mutations(void **state);
void test_same_names(void **state);
void test_places(void **state);
void test_oom(void **state);

void test_vmlinux_known(void **state);
void test_vmlinux_all(void **state);

/* Look at all records, which questions do only as far as they must. */
static inline struct err *
load_all(struct btftypes *b)
{
	TRY(btftypes_index(b));
	btftypes_reach(b, UINT32_MAX);
	return btftypes_check(b);
}

#endif
