/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers from nowhere, from and to text, from device numbers.
 */
#include "vm/vm_priv.h"

/* --- From nowhere -------------------------------------------------------- */

static uint64_t
rand32(const struct vm *vm)
{
	return vm->cfg.env->rand ? vm->cfg.env->rand(vm->cfg.ctx) : 0;
}

bool
vm_subr_RAND(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	     uint64_t *ret)
{
	*ret = rand32(vm);
	return true;
}

bool
vm_subr_RANDOM(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	*ret = rand32(vm) << 32 | rand32(vm);
	return true;
}

bool
vm_subr_BOUND(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	      uint64_t *ret)
{
	if (args[0].i >= args[1].i)
		return vm_raise(vm, ABI_FAULT_BADINDEX, 0);
	*ret = args[0].i;
	return true;
}

bool
vm_subr_NUMBER(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	if (args[1].i >= DIF_NNUMS || args[2].i >= DIF_NNUMS)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	*ret = dif_number(args[0].i, (unsigned)args[1].i, (unsigned)args[2].i);
	return true;
}

bool
vm_subr_UUIDSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	static const char form[] = "xxxxxxxx-xxxx-4xxx-Nxxx-xxxxxxxxxxxx";
	static const char digits[] = "0123456789abcdef";
	char text[sizeof(form)];
	uint64_t bits = 0;

	for (unsigned i = 0; i < sizeof(form); i++) {
		if (i % 8 == 0)
			bits = rand32(vm);
		text[i] = form[i] == 'x' ? digits[bits & 15] :
			  form[i] == 'N' ? digits[8 | (bits & 3)] : form[i];
		bits >>= 4;
	}
	return vm_return_string(vm, text, sizeof(form) - 1, ret);
}

/* --- From and to text ----------------------------------------------------- */

static bool
base_ok(struct vm *vm, int64_t base)
{
	return (base >= 2 && base <= 36) || vm_raise(vm, ABI_FAULT_ILLOP, 0);
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

/* --- Devices: 12 bits and 20, as the kernel itself has them ---------------- */

bool
vm_subr_GETMAJOR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		 uint64_t *ret)
{
	*ret = (uint32_t)args[0].i >> 20;
	return true;
}

bool
vm_subr_GETMINOR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		 uint64_t *ret)
{
	*ret = args[0].i & 0xfffff;
	return true;
}
