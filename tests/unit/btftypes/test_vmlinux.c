/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The running kernel's own BTF, read by us and by libbpf.
 */
#include <bpf/btf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "btftypes/btftypes.h"
#include "test_btftypes.h"
#include "type/convert.h"
#include "type/text.h"

#define PATH "/sys/kernel/btf/vmlinux"

static struct btftypes *
open_vmlinux(struct arena *a)
{
	struct btftypes *b = NULL;

	if (access(PATH, R_OK) < 0) {
		print_message("# skip: no " PATH "\n");
		skip();
	}
	assert_null(btftypes_open(a, PATH, NULL, "vmlinux", &b));
	assert_null(load_all(b));
	return b;
}

void
test_vmlinux_known(void **state)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{ "comm", "char comm[16]" }, { "pid", "pid_t pid" },
		{ "real_parent", "struct task_struct *real_parent" },
		{ "cred", "const struct cred *cred" },
		{ "utime", "u64 utime" },
	};
	struct arena *a = arena_new();
	struct btftypes *b = open_vmlinux(a);
	const struct type *task = btftypes_find(b, TYPE_STRUCT, "task_struct");
	struct type_member m;
	struct sb text;

	assert_non_null(task);
	sb_init(&text, 1024);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_true(type_find_member(task, rows[i].name, &m));
		sb_reset(&text);
		type_print(m.type, m.name, &text);
		assert_string_equal(sb_str(&text), rows[i].text);
	}
	assert_true(type_find_member(task, "pid", &m));
	assert_true(type_equal(m.type, &type_int));
	const struct type *fn = btftypes_find(b, TYPE_FUNC, "vfs_read");
	sb_reset(&text);
	type_print(fn, "vfs_read", &text);
	assert_string_equal(sb_str(&text), "ssize_t vfs_read(struct file *, "
			    "char *, size_t, loff_t *)");
	const struct type *u64 = btftypes_find(b, TYPE_TYPEDEF, "u64");
	assert_true(type_equal(u64, &type_ullong));
	sb_fini(&text);
	btftypes_free(b);
	arena_free(a);
}

/* Is `id` the first of its kind and name? */
static bool
is_first(const struct btf *theirs, const struct btf_type *t, uint32_t id)
{
	return btf__find_by_name_kind(theirs,
				      btf__name_by_offset(theirs, t->name_off),
				      BTF_INFO_KIND(t->info)) == (int)id;
}

static void
compare(const struct btf *theirs, const struct btf_type *t, const char *tag,
	const struct type *ours)
{
	uint32_t n;
	const struct type_member *m = type_members(ours, &n);

	if (type_size(ours) != t->size || n != btf_vlen(t))
		fail_msg("%s: size or number of members", tag);
	for (uint32_t i = 0; i < n; i++) {
		const struct btf_member *bm = btf_members(t) + i;
		const char *name = btf__name_by_offset(theirs, bm->name_off);
		int64_t size = btf__resolve_size(theirs, bm->type);
		if (strcmp(m[i].name ? m[i].name : "", name) != 0 ||
		    m[i].bit_offset != btf_member_bit_offset(t, i) ||
		    m[i].bit_size != btf_member_bitfield_size(t, i) ||
		    (int64_t)type_size(m[i].type) != BASE_MAX(size, 0))
			fail_msg("%s.%s", tag, name);
	}
	int align = btf__align_of(theirs, btf__find_by_name_kind(theirs, tag,
						BTF_INFO_KIND(t->info)));
	/* libbpf takes no alignment beyond a pointer's, C has __int128. */
	if (align > 0 && (int)BASE_MIN(type_align(ours), 8) != align)
		fail_msg("%s: align %u, not %d", tag, type_align(ours), align);
}

/* Every struct and union with a tag. */
void
test_vmlinux_all(void **state)
{
	struct arena *a = arena_new();
	struct btftypes *b = open_vmlinux(a);
	struct btf *theirs = btf__parse(PATH, NULL);
	uint32_t compared = 0;

	assert_non_null(theirs);
	for (uint32_t id = 1; id < btf__type_cnt(theirs); id++) {
		const struct btf_type *t = btf__type_by_id(theirs, id);
		const char *name = btf__name_by_offset(theirs, t->name_off);
		if (!btf_is_composite(t) || !*name)
			continue;
		if (!is_first(theirs, t, id))
			continue;
		const struct type *ours = btftypes_find(b,
			btf_is_struct(t) ? TYPE_STRUCT : TYPE_UNION, name);
		assert_non_null(ours);
		compare(theirs, t, name, ours);
		compared++;
	}
	assert_true(compared > 100);
	btf__free(theirs);
	btftypes_free(b);
	arena_free(a);
}
