/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What comes from networks: the order of bytes.
 */
#include "vm/vm_priv.h"

/* The low bytes of v, first byte first. */
static uint64_t
network_order(uint64_t v, unsigned size)
{
	uint64_t ret = 0;

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return size < 8 ? v & ((1ULL << 8 * size) - 1) : v;
	for (unsigned i = 0; i < size; i++, v >>= 8)
		ret = ret << 8 | (v & 0xff);
	return ret;
}

/* There and back are the same. */
#define ORDER(NAME, size) \
	bool \
	vm_subr_##NAME(struct vm *vm, const struct vm_arg *args, \
		       unsigned nargs, uint64_t *ret) \
	{ \
		*ret = network_order(args[0].i, size); \
		return true; \
	}
ORDER(HTONS, 2)
ORDER(HTONL, 4)
ORDER(HTONLL, 8)
ORDER(NTOHS, 2)
ORDER(NTOHL, 4)
ORDER(NTOHLL, 8)
