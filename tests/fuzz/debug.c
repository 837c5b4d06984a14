/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a program with debugging information: types, prototypes, lines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "dwarftypes/dwarftypes.h"
#include "fuzz.h"
#include "look.h"
#include "sym/lines.h"

enum { NAMES = 200, STEP = 7, CODE = 0x3000 };

struct asking {
	struct dwarftypes *d;
	enum type_kind kind;
	unsigned left;
};

static bool
on_name(void *ctx, const char *name)
{
	struct asking *a = ctx;
	const struct type *t = NULL;

	fuzz_must(!dwarftypes_find(a->d, a->kind, name, &t));
	look_at_type(t);
	return --a->left > 0;
}

static void
types(int fd)
{
	static const enum type_kind kinds[] = {
		TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_TYPEDEF,
	};
	struct arena *a = arena_new();
	const struct type *t;
	struct dwarftypes *d;
	uint64_t addr;

	fuzz_must(a);
	struct err *e = dwarftypes_open(a, fd, NULL, "m", &d);
	if (e) {
		err_free(e);
		arena_free(a);
		return;
	}
	for (size_t i = 0; i < BASE_NELEMS(kinds); i++) {
		struct asking asking = { d, kinds[i], NAMES };
		err_free(dwarftypes_names(d, kinds[i], on_name, &asking));
	}
	t = NULL;
	err_free(dwarftypes_variable(d, "seed_list", &addr, &t));
	look_at_type(t);
	for (uint64_t at = 0; at < CODE; at += 16) {
		t = NULL;
		err_free(dwarftypes_function(d, at, &t));
		look_at_type(t);
	}
	bool is_unread;
	dwarftypes_absent(d, &is_unread);
	dwarftypes_free(d);
	arena_free(a);
}

static bool
wants(void *ctx, const char *file, unsigned line)
{
	return strlen(file) > 0 || line;
}

static struct err *
on_place(void *ctx, uint64_t addr, const char *file, unsigned line)
{
	unsigned *left = ctx;

	fuzz_must(strlen(sym_line_base(file)) <= strlen(file));
	return --*left ? NULL : err_new(ERR_STATE, 0, "enough");
}

static void
lines(int fd)
{
	struct sym_lines *l;
	unsigned left = 1000;
	size_t n;
	struct err *e = sym_lines_open(fd, NULL, NULL, false, &l);

	if (e) {
		err_free(e);
		return;
	}
	for (uint64_t at = 0; at < CODE; at += STEP) {
		const struct sym_line *v = sym_lines_at(l, at, &n);
		for (size_t i = 0; i < n; i++)
			fuzz_must((!v[i].function || strlen(v[i].function)) &&
				  (!v[i].file || strlen(v[i].file) < 1 << 20));
	}
	err_free(sym_lines_walk(l, 0, UINT64_MAX, wants, on_place, &left));
	sym_lines_free(l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	fuzz_must(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	types(fd);
	lines(fd);
	close(fd);
	return 0;
}
