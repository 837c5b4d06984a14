/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What comes from networks: the order of bytes, addresses as text.
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

/* --- Addresses ------------------------------------------------------------ */

enum { AF_INET4 = 2, AF_INET6 = 10, TYPE_ETHER = 1, TYPE_INFINIBAND = 32 };
enum { TEXT_MAX = 64, ADDR_MAX = 20 };

typedef void put_addr(struct base_buf *b, const uint8_t *addr, unsigned size);

static void
put_inet4(struct base_buf *b, const uint8_t *addr, unsigned size)
{
	for (unsigned i = 0; i < 4; i++) {
		if (i)
			base_putc(b, '.');
		base_putu(b, addr[i], 10, 0, ' ');
	}
}

static unsigned
group(const uint8_t *addr, unsigned i)
{
	return addr[2 * i] << 8 | addr[2 * i + 1];
}

/* The longest run of zero groups, of two at least: its length, *at its start. */
static unsigned
longest_run(const uint8_t *addr, unsigned *at)
{
	unsigned best = 1, n = 0;

	for (unsigned i = 0; i < 8; i++) {
		n = group(addr, i) ? 0 : n + 1;
		if (n > best) {
			best = n;
			*at = i + 1 - n;
		}
	}
	return best > 1 ? best : 0;
}

static void
put_inet6(struct base_buf *b, const uint8_t *addr, unsigned size)
{
	unsigned at = 8, run = longest_run(addr, &at);
	bool mapped = at == 0 && (run == 6 || (run == 5 &&
					       group(addr, 5) == 0xffff));

	for (unsigned i = 0; i < (mapped ? 6 : 8); i++) {
		if (i == at) {
			base_puts(b, "::");
			i += run - 1;
			continue;
		}
		if (i && i != at + run)
			base_putc(b, ':');
		base_putu(b, group(addr, i), 16, 0, ' ');
	}
	if (mapped) {
		if (run == 5)
			base_putc(b, ':');
		put_inet4(b, addr + 12, 4);
	}
}

static void
put_link(struct base_buf *b, const uint8_t *addr, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		if (i)
			base_putc(b, ':');
		base_putu(b, addr[i], 16, 2, '0');
	}
}

static bool
address(struct vm *vm, uint64_t p, unsigned size, put_addr *put, uint64_t *ret)
{
	char *s = (char *)vm_scratch(vm, vm->strsize), text[TEXT_MAX];
	uint8_t addr[ADDR_MAX];
	struct base_buf b;

	if (!s || !vm_load(vm, p, addr, size, false))
		return false;
	base_buf_init(&b, text, sizeof(text));
	put(&b, addr, size);
	b.len = BASE_MIN(b.len, vm->strsize - 1);
	memcpy(s, text, b.len);
	s[b.len] = '\0';
	*ret = (uintptr_t)s;
	return true;
}

bool
vm_subr_INET_NTOA(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		  uint64_t *ret)
{
	return address(vm, args[0].i, 4, put_inet4, ret);
}

bool
vm_subr_INET_NTOA6(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		   uint64_t *ret)
{
	return address(vm, args[0].i, 16, put_inet6, ret);
}

bool
vm_subr_INET_NTOP(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		  uint64_t *ret)
{
	switch (args[0].i) {
	case AF_INET4: return address(vm, args[1].i, 4, put_inet4, ret);
	case AF_INET6: return address(vm, args[1].i, 16, put_inet6, ret);
	default: return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	}
}

bool
vm_subr_LINK_NTOP(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		  uint64_t *ret)
{
	switch (args[0].i) {
	case TYPE_ETHER: return address(vm, args[1].i, 6, put_link, ret);
	case TYPE_INFINIBAND: return address(vm, args[1].i, 20, put_link, ret);
	default: return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	}
}
