/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Subroutines on strings.  Arguments have been fetched, so only the result
 * can fail, for want of scratch.
 */
#include "base/base.h"
#include "vm/vm_priv.h"

bool
vm_subr_STRLEN(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	*ret = args[0].n;
	return true;
}

bool
vm_subr_STRJOIN(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	uint32_t room = vm->strsize - 1 - args[0].n;
	char *s;

	if (!vm_return_string(vm, args[0].s, args[0].n, ret))
		return false;
	s = (char *)(uintptr_t)*ret + args[0].n;
	room = BASE_MIN(room, args[1].n);
	memcpy(s, args[1].s, room);
	s[room] = '\0';
	return true;
}

/* The rest of s from at on; at < 0: NULL. */
static bool
return_tail(struct vm *vm, const struct vm_arg *s, int64_t at, uint64_t *ret)
{
	if (at < 0) {
		*ret = 0;
		return true;
	}
	return vm_return_string(vm, s->s + at, s->n - at, ret);
}

bool
vm_subr_STRCHR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	const struct vm_arg *s = &args[0];
	int64_t at = -1;

	for (int64_t i = s->n; i >= 0; i--)	/* the NUL counts */
		if (s->s[i] == (char)args[1].i)
			at = i;
	return return_tail(vm, s, at, ret);
}

bool
vm_subr_STRRCHR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	const struct vm_arg *s = &args[0];
	int64_t at = -1;

	for (int64_t i = 0; i <= s->n; i++)
		if (s->s[i] == (char)args[1].i)
			at = i;
	return return_tail(vm, s, at, ret);
}

/* The first place of sub in s, going from `from` by `step`; -1: none. */
static int64_t
find(const struct vm_arg *s, const struct vm_arg *sub, int64_t from, int step)
{
	int64_t last = (int64_t)s->n - sub->n;

	for (int64_t i = from; i >= 0 && i <= last; i += step)
		if (!memcmp(s->s + i, sub->s, sub->n))
			return i;
	return -1;
}

bool
vm_subr_STRSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	return return_tail(vm, &args[0], find(&args[0], &args[1], 0, 1), ret);
}

bool
vm_subr_INDEX(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	      uint64_t *ret)
{
	int64_t from = nargs > 2 ? (int64_t)args[2].i : 0;

	from = BASE_MAX(from, 0);
	from = BASE_MIN(from, (int64_t)args[0].n);
	*ret = find(&args[0], &args[1], from, 1);
	return true;
}

bool
vm_subr_RINDEX(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	int64_t last = (int64_t)args[0].n - args[1].n;
	int64_t from = nargs > 2 ? (int64_t)args[2].i : last;

	*ret = find(&args[0], &args[1], BASE_MIN(from, last), -1);
	return true;
}

bool
vm_subr_SUBSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	int64_t n = args[0].n, begin = args[1].i, end = n;

	if (begin < 0)
		begin += n;
	begin = BASE_MIN(begin, n);	/* so that adding len cannot wrap */
	if (nargs > 2) {
		int64_t len = args[2].i;

		if (len < 0)
			end = n + len;
		else if (begin < 0 || len < n - begin)
			end = begin + len;
	}
	begin = BASE_MAX(begin, 0);
	end = BASE_MIN(end, n);
	return vm_return_string(vm, args[0].s + begin,
				end > begin ? end - begin : 0, ret);
}

/* Bytes first..first + 25 are letters of the other case. */
static bool
change_case(struct vm *vm, const struct vm_arg *arg, char first, uint64_t *ret)
{
	char *s;

	if (!vm_return_string(vm, arg->s, arg->n, ret))
		return false;
	for (s = (char *)(uintptr_t)*ret; *s; s++)
		if (*s >= first && *s <= first + 25)
			*s ^= 'a' ^ 'A';
	return true;
}

bool
vm_subr_TOUPPER(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	return change_case(vm, &args[0], 'a', ret);
}

bool
vm_subr_TOLOWER(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	return change_case(vm, &args[0], 'A', ret);
}

static bool
is_among(char c, const struct vm_arg *set)
{
	return BASE_ANY(i, set->n, set->s[i] == c);
}

/* strspn() and strcspn(): bytes at s that are (not) among the delimiters. */
static uint32_t
span(const char *s, const struct vm_arg *delims, bool among)
{
	uint32_t n = 0;

	while (s[n] && is_among(s[n], delims) == among)
		n++;
	return n;
}

bool
vm_subr_STRTOK(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	const char *s = args[0].s ? args[0].s : vm->token;
	uint32_t n;

	*ret = 0;
	if (!s)
		return true;
	s += span(s, &args[1], true);
	n = span(s, &args[1], false);
	if (!n) {
		vm->token = NULL;
		return true;
	}
	if (!vm_return_string(vm, s, n, ret))
		return false;
	s += n + (s[n] != '\0');
	if (args[0].s)
		s = memcpy(vm->tokens, s, args[0].s + args[0].n - s + 1);
	vm->token = s;
	return true;
}
