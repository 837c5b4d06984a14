/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers from and to text, and from nowhere.
 */
#include "vm/vm_priv.h"

static bool
base_ok(struct vm *vm, int64_t base)
{
	return (base >= 2 && base <= 36) || vm_raise(vm, ABI_FAULT_ILLOP, 0);
}

bool
vm_subr_RAND(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	     uint64_t *ret)
{
	uint32_t v = vm->cfg.env->rand ? vm->cfg.env->rand(vm->cfg.ctx) : 0;

	*ret = v & INT32_MAX;
	return true;
}

bool
vm_subr_LLTOSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	int64_t base = nargs > 1 ? (int64_t)args[1].i : 10;
	char text[72];		/* 64 binary digits, a sign, a prefix */
	struct base_buf b;

	if (!base_ok(vm, base))
		return false;
	base_buf_init(&b, text, sizeof(text));
	if (base == 10)
		base_putd(&b, (int64_t)args[0].i);
	else if (base == 8 && args[0].i == 0)
		base_putc(&b, '0');
	else {
		base_puts(&b, base == 16 ? "0x" : base == 8 ? "0" : "");
		base_putu(&b, args[0].i, base, 0, ' ');
	}
	return vm_return_string(vm, text, b.len, ret);
}

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* 0..35, or 36 for what is no digit in any base. */
static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 36;
}

bool
vm_subr_STRTOLL(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	const char *p = args[0].s;	/* NUL-terminated */
	int64_t base = nargs > 1 ? (int64_t)args[1].i : 0;
	bool negative, hex;
	uint64_t v = 0;

	if (nargs > 1 && !base_ok(vm, base))
		return false;
	while (is_blank(*p))
		p++;
	negative = *p == '-';
	p += *p == '-' || *p == '+';
	hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') &&
	      digit_value(p[2]) < 16;
	if (hex && (base == 0 || base == 16)) {
		p += 2;
		base = 16;
	}
	if (base == 0)
		base = *p == '0' ? 8 : 10;
	for (; digit_value(*p) < base; p++)
		v = v * base + digit_value(*p);
	*ret = negative ? -v : v;
	return true;
}
