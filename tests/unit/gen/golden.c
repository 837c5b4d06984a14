/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Golden tests of generated code:
 *
 *	golden [--bless] DIR
 *
 * For every foo.d in DIR, foo.S is what -S prints (with addresses as 0x0) and
 * foo.plan what plandump() prints; at least one of them exists.  --bless
 * rewrites those that exist, and makes foo.plan where there is none.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"
#include "support/plandump.h"

static char *
read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	struct sb b;
	int ch;

	if (!f)
		return NULL;
	sb_init(&b, 1 << 22);
	while ((ch = getc(f)) != EOF)
		sb_putc(&b, (char)ch);
	fclose(f);
	return b.len ? sb_steal(&b) : strdup("");
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		printf("# cannot write %s\n", path);
}

/* "DIFO 0x7f..." differs from run to run. */
static void
mask_addresses(const char *s, struct sb *b)
{
	static const char mark[] = "DIFO 0x";
	const char *p;

	while ((p = strstr(s, mark))) {
		sb_putn(b, s, (size_t)(p - s));
		sb_puts(b, "DIFO 0x0");
		s = p + strlen(mark);
		s += strspn(s, "0123456789abcdef");
	}
	sb_puts(b, s);
}

static char *
produce(struct rig *r, const char *ext)
{
	struct sb raw, b;

	sb_init(&raw, 1 << 22);
	sb_init(&b, 1 << 22);
	if (!strcmp(ext, "S")) {
		gen_print(r->plan, &raw);
		mask_addresses(sb_str(&raw), &b);
	} else {
		plandump(r->plan, &b);
	}
	sb_fini(&raw);
	return sb_steal(&b);
}

/* The first line that differs, as comments. */
static void
show_difference(const char *want, const char *got)
{
	while (*want && *got) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");
		if (w != g || memcmp(want, got, w)) {
			printf("# -%.*s\n# +%.*s\n", (int)w, want, (int)g, got);
			return;
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
	printf("# one ends where the other goes on\n");
}

static bool
check(struct rig *r, const char *path, const char *ext, bool bless)
{
	char *want = read_file(path), *got = produce(r, ext);
	bool ok = want && got && !strcmp(want, got);

	if (bless && got && !ok) {
		write_file(path, got);
		ok = true;
	} else if (!ok && want && got) {
		show_difference(want, got);
	}
	free(want);
	free(got);
	return ok;
}

static unsigned number, failures;

static void
run_input(const char *dir, const char *name, bool bless)
{
	static const char *const exts[] = { "S", "plan" };
	struct rig *r = malloc(sizeof(*r));
	char path[512];
	bool any = false;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	char *text = read_file(path), *dot = strrchr(path, '.') + 1;
	rig_init(r);
	rig_compile(r, text ? text : "");
	for (struct diag *d = r->diags.first; d; d = d->next)
		printf("# %s: %s\n", diag_tag_name(d->tag), d->text);
	for (unsigned i = 0; i < 2; i++) {
		strcpy(dot, exts[i]);
		FILE *f = fopen(path, "r");
		if (f)
			fclose(f);
		else if (!bless || i == 0 || any)
			continue;
		any = true;
		bool ok = r->plan && check(r, path, exts[i], bless);
		printf("%sok %u - %s\n", ok ? "" : "not ", ++number, path);
		failures += !ok;
	}
	if (!any) {
		printf("not ok %u - %s expects nothing\n", ++number, name);
		failures++;
	}
	rig_fini(r);
	free(r);
	free(text);
}

static int
is_input(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

int
main(int argc, char **argv)
{
	bool bless = argc > 1 && !strcmp(argv[1], "--bless");
	const char *dir = argv[argc - 1];
	struct dirent **names;
	int n = argc > 1 ? scandir(dir, &names, is_input, alphasort) : -1;

	if (n <= 0) {
		printf("Bail out! no inputs in %s\n", dir);
		return 1;
	}
	for (int i = 0; i < n; i++) {
		run_input(dir, names[i]->d_name, bless);
		free(names[i]);
	}
	free(names);
	printf("1..%u\n", number);
	return failures != 0;
}
