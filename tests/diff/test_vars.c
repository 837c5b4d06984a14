/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables of all scopes and types, over several firings.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"
#include "util/sb.h"

/* Where a variable lives, and how it is read and written once its keys have
 * been pushed. */
static const struct place {
	const char *name;
	int scope;
	const char *keys, *load, *store, *push, *pop;
} places[] = {
	{ "g", DIF_VS_GLOBAL, NULL, "ldgs", "stgs", "", "" },
	{ "t", DIF_VS_THREAD, NULL, "ldts", "stts", "", "" },
	{ "l", DIF_VS_LOCAL, NULL, "ldls", "stls", "", "" },
	{ "a", DIF_VS_GLOBAL, "i", "ldgaa", "stgaa",
	  "ldgs arg1, %r6\npushtv DT_TYPE(0), %r0, %r6\n", "flushts\n" },
	{ "m", DIF_VS_GLOBAL, "i s16 i", "ldgaa", "stgaa",
	  "ldgs arg1, %r6\npushtv DT_TYPE(0), %r0, %r6\n"
	  "ldgs execname, %r7\npushtr DT_TYPE(1), %r0, %r7\n"
	  "pushtv DT_TYPE(0), %r0, %r6\n", "flushts\n" },
	{ "ta", DIF_VS_THREAD, "s8", "ldtaa", "sttaa",
	  "sets \"a long key\", %r7\npushtr DT_TYPE(1), %r0, %r7\n",
	  "flushts\n" },
};
enum { NPLACES = BASE_NELEMS(places) };

static const uint64_t edges[] = {
	1, 0, 0, 0xff, 0x100, 0xffff, 0x10000, 0xffffffff, 0x100000000,
	0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0, 0, 5,
};

static struct diff_clause *
use(struct diff *d, const char *what, const char *var, bool store)
{
	return diff_clause(d, "%s %s %s", store ? "store" : "load", var, what);
}

static const char *
store_text(struct sb *b, const struct place *p, const char *var,
	   const char *value)
{
	sb_reset(b);
	sb_printf(b, "%s%s%s %%r1, %s\n%sret %%r0", value, p->push, p->store,
		  var, p->pop);
	return sb_str(b);
}

static const char *
load_text(struct sb *b, const struct place *p, const char *var)
{
	sb_reset(b);
	sb_printf(b, "%s%s %s, %%r4\n%sret %%r4", p->push, p->load, var,
		  p->pop);
	return sb_str(b);
}

/* Load, store arg0, load; with keys that come again. */
static unsigned
test_values(void)
{
	static const unsigned sizes[] = { 1, 2, 4, 8 };
	struct diff *d = diff_new(64);
	struct diff_args args[BASE_NELEMS(edges) * 2];
	struct sb b;
	char name[16], type[16];

	sb_init(&b, 4096);
	for (unsigned p = 0; p < NPLACES; p++)
		for (unsigned s = 0; s < 4; s++) {
			snprintf(name, sizeof(name), "%s%u", places[p].name,
				 sizes[s]);
			snprintf(type, sizeof(type), "int %u", sizes[s]);
			diff_var(d, name, places[p].scope, type,
				 places[p].keys);
		}
	for (unsigned p = 0; p < NPLACES; p++)
		for (unsigned s = 0; s < 4; s++) {
			const struct place *pl = &places[p];
			snprintf(name, sizeof(name), "%s%u", pl->name,
				 sizes[s]);
			diff_int(use(d, "before", name, false), 8,
				 load_text(&b, pl, name));
			diff_int(use(d, "", name, true), 8,
				 store_text(&b, pl, name, "ldgs arg0, %r1\n"));
			diff_int(use(d, "after", name, false), 8,
				 load_text(&b, pl, name));
			if (sizes[s] == 8)	/* constants */
				continue;
			diff_int(use(d, "0", name, true), 8,
				 store_text(&b, pl, name,
					    "setx 0x10000000000, %r1\n"));
			diff_int(use(d, "after 0", name, false), 8,
				 load_text(&b, pl, name));
		}
	for (unsigned i = 0; i < BASE_NELEMS(args); i++)
		args[i] = (struct diff_args){ {
			edges[i % BASE_NELEMS(edges)], i % 3 } };
	sb_fini(&b);
	diff_batch(d, 150);
	return diff_finish(d, args, BASE_NELEMS(args));
}

/* What is stored into strings of each size; %r1 is it. */
static const struct { const char *name, *text; } strings[] = {
	{ "short", "sets \"abc\", %r1\n" },
	{ "empty", "sets \"\", %r1\n" },
	{ "7", "sets \"1234567\", %r1\n" },
	{ "8", "sets \"12345678\", %r1\n" },
	{ "63", "sets \"1234567890123456789012345678901234567890123456789"
	  "01234567890123\", %r1\n" },
	{ "70", "sets \"1234567890123456789012345678901234567890123456789"
	  "012345678901234567890\", %r1\n" },
	{ "execname", "ldgs execname, %r1\n" },
	{ "zonename", "ldgs zonename, %r1\n" },
	{ "probefunc", "ldgs probefunc, %r1\n" },
	{ "0", "mov %r0, %r1\n" },
	{ "constant 0", "setx 0, %r1\n" },
	{ "unknown 0", "ldgs arg9, %r1\n" },
	{ "part of execname", "ldgs execname, %r1\nsetx 2, %r2\n"
	  "add %r1, %r2, %r1\n" },
	{ "part of a literal", "sets \"abcdefghijkl\", %r1\nsetx 3, %r2\n"
	  "add %r1, %r2, %r1\n" },
	{ "unknown literal", "sets \"unknown\", %r1\nldgs arg9, %r2\n"
	  "add %r1, %r2, %r1\n" },
	{ "result", "sets \"/a/b/c/result\", %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall basename, %r1\nflushts\n" },
	{ "NULL result", "sets \"abc\", %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
	  "mov %r0, %r1\nflushts\n" },
	{ "another", "sets \"the other one\", %r1\nstgs %r1, other\n"
	  "ldgs other, %r1\n" },
	{ "another, part", "ldgs other, %r1\nsetx 4, %r2\n"
	  "add %r1, %r2, %r1\n" },
	{ "another local", "sets \"the local one\", %r1\nstls %r1, lother\n"
	  "ldls lother, %r1\n" },
	{ "another thread-local", "sets \"of the thread\", %r1\n"
	  "stts %r1, tother\nldts tother, %r1\n" },
	{ "absent thread-local", "ldts tabsent, %r1\n" },
	{ "bytes", "sets \"\\201\\377\\200\\001\", %r1\n" },
	{ "bad", "setx 0xdead000000000000, %r1\n" },
	{ "bad 1", "setx 1, %r1\n" },
};

static void
declare_others(struct diff *d)
{
	diff_var(d, "other", DIF_VS_GLOBAL, "string 30", NULL);
	diff_var(d, "lother", DIF_VS_LOCAL, "string 30", NULL);
	diff_var(d, "tother", DIF_VS_THREAD, "string 30", NULL);
	diff_var(d, "tabsent", DIF_VS_THREAD, "string 30", NULL);
}

static unsigned
strings_at(uint32_t strsize)
{
	static const unsigned sizes[] = { 1, 2, 8, 20, 64, 300 };
	static const struct diff_args args[] = { { { 0 } }, { { 1, 1 } },
						 { { 0 } } };
	struct diff *d = diff_new(strsize);
	struct sb b;
	char name[16], type[16];

	sb_init(&b, 4096);
	declare_others(d);
	for (unsigned p = 0; p < NPLACES; p++)
		for (unsigned s = 0; s < BASE_NELEMS(sizes); s++) {
			snprintf(name, sizeof(name), "%s%u", places[p].name,
				 sizes[s]);
			snprintf(type, sizeof(type), "string %u", sizes[s]);
			diff_var(d, name, places[p].scope, type,
				 places[p].keys);
		}
	for (unsigned p = 0; p < NPLACES; p++)
		for (unsigned s = 0; s < BASE_NELEMS(sizes); s++)
			for (unsigned i = 0; i < BASE_NELEMS(strings); i++) {
				const struct place *pl = &places[p];
				snprintf(name, sizeof(name), "%s%u", pl->name,
					 sizes[s]);
				diff_int(use(d, strings[i].name, name, true), 8,
					 store_text(&b, pl, name,
						    strings[i].text));
				diff_str(use(d, strings[i].name, name, false), 400,
					 load_text(&b, pl, name));
			}
	sb_fini(&b);
	diff_batch(d, 100);
	return diff_finish(d, args, 3);
}

static unsigned
test_strings(void)
{
	return strings_at(64);
}

static unsigned
test_short_strings(void)
{
	return strings_at(8);
}

/* Structs: exactly their size, whatever is in them. */
static unsigned
test_structs(void)
{
	static const unsigned sizes[] = { 1, 3, 8, 24, 300 };
	static const struct diff_args args[] = { { { 0 } }, { { 1, 1 } } };
	struct diff *d = diff_new(64);
	struct sb b;
	char name[16], type[16];
	static const struct { const char *name, *text; } sources[] = {
		{ "scratch", "setx 304, %r2\nallocs %r2, %r1\nsetx 0x1122334455"
		  ", %r3\nstx %r3, [%r1]\nsetx 16, %r2\nadd %r1, %r2, %r4\n"
		  "stx %r3, [%r4]\n" },
		{ "a number", "setx 8, %r2\nallocs %r2, %r1\nstx %r0, [%r1]\n"
		  "setx 304, %r2\nallocs %r2, %r1\n" },
		{ "0", "mov %r0, %r1\n" },
		{ "bad", "setx 0xdead000000000000, %r1\n" },
		{ "unknown 0", "ldgs arg9, %r1\n" },
		{ "a struct", "ldgs src, %r1\nsetx 77, %r2\n"
		  "stb %r2, [%r1]\n" },
		{ "a local struct", "ldls lsrc, %r1\nsetx 78, %r2\n"
		  "stb %r2, [%r1]\n" },
		{ "a thread-local struct", "ldgs src, %r1\nstts %r1, tsrc\n"
		  "ldts tsrc, %r1\n" },
		{ "an absent struct", "ldts tnone, %r1\n" },
	};

	sb_init(&b, 4096);
	diff_scratch(d, 1024);
	diff_var(d, "src", DIF_VS_GLOBAL, "struct 304", NULL);
	diff_var(d, "lsrc", DIF_VS_LOCAL, "struct 304", NULL);
	diff_var(d, "tsrc", DIF_VS_THREAD, "struct 304", NULL);
	diff_var(d, "tnone", DIF_VS_THREAD, "struct 304", NULL);
	for (unsigned p = 0; p < NPLACES; p++)
		for (unsigned s = 0; s < BASE_NELEMS(sizes); s++) {
			snprintf(name, sizeof(name), "%s%u", places[p].name,
				 sizes[s]);
			snprintf(type, sizeof(type), "struct %u", sizes[s]);
			diff_var(d, name, places[p].scope, type,
				 places[p].keys);
		}
	for (unsigned p = 0; p < NPLACES; p++)
		for (unsigned s = 0; s < BASE_NELEMS(sizes); s++)
			for (unsigned i = 0; i < BASE_NELEMS(sources); i++) {
				const struct place *pl = &places[p];
				snprintf(name, sizeof(name), "%s%u", pl->name,
					 sizes[s]);
				diff_int(use(d, sources[i].name, name, true), 8,
					 store_text(&b, pl, name,
						    sources[i].text));
				diff_bytes(use(d, sources[i].name, name, false), sizes[s],
					   load_text(&b, pl, name));
			}
	sb_fini(&b);
	diff_batch(d, 100);
	return diff_finish(d, args, 2);
}

/* Compares of strings in all pairs of places. */
static unsigned
scmp_at(uint32_t strsize)
{
	static const char *const tests[] = {
		"be", "bne", "bl", "ble", "bg", "bge", "blu", "bleu", "bgu",
		"bgeu",
	};
	struct diff *d = diff_new(strsize);
	struct sb b;

	sb_init(&b, 4096);
	declare_others(d);
	for (unsigned i = 0; i < BASE_NELEMS(strings); i++)
		for (unsigned k = 0; k < BASE_NELEMS(strings); k++)
			for (unsigned only = 0; only < 2; only++) {
				struct diff_clause *c = diff_clause(d,
					"scmp of %s and %s%s", strings[i].name,
					strings[k].name, only ? ", be" : "");
				sb_reset(&b);
				sb_printf(&b, "%smov %%r1, %%r5\n%s"
					  "scmp %%r5, %%r1\nmov %%r0, %%r3\n",
					  strings[i].text, strings[k].text);
				for (unsigned t = 0; t < (only ? 1 :
				     BASE_NELEMS(tests)); t++)
					sb_printf(&b, "%s L%u\nba M%u\nL%u: "
						"setx %u, %%r4\nor %%r3, %%r4"
						", %%r3\nM%u: nop\n", tests[t],
						t, t, t, 1u << t, t);
				sb_puts(&b, "ret %r3");
				diff_int(c, 8, sb_str(&b));
			}
	sb_fini(&b);
	diff_batch(d, 100);
	static const struct diff_args zero;
	return diff_finish(d, &zero, 1);
}

static unsigned
test_scmp(void)
{
	return scmp_at(8) + scmp_at(64);
}

/* Keys: what is the same element and what is not.  Each case stores under one
 * key and loads under another. */
static unsigned
test_keys(void)
{
	static const char *const keys[] = {
		"sets \"\", %r7\n", "sets \"abcdefg\", %r7\n",
		"sets \"abcdefgh\", %r7\n", "sets \"abcdefghij\", %r7\n",
		"sets \"abcdef\", %r7\n", "sets \"abcdefx\", %r7\n",
		"ldgs execname, %r7\n", "ldgs probename, %r7\n",
		"sets \"abcdefghij\", %r7\nldgs arg9, %r6\n"
		"add %r7, %r6, %r7\n",
		"sets \"diff-vars\", %r7\n", "ldgs other, %r7\n",
		"sets \"xx\", %r7\nldgs arg9, %r6\ntst %r6\nbe K\n"
		"sets \"yy\", %r7\nK: nop\n",
		/* longer than strsize, where k64 has room */
		"sets \"abcdefghijklmnopqr1\", %r7\n",
		"sets \"abcdefghijklmnopqr2\", %r7\n",
		"sets \"abcdefghijklmnopqr2\", %r7\nldgs arg9, %r6\n"
		"add %r7, %r6, %r7\n",
	};
	static const char *const limits[] = {
		"mov %r0, %r6\n", "setx 6, %r6\n", "setx 7, %r6\n",
		"setx 100, %r6\n", "ldgs arg3, %r6\n", "setx 18, %r6\n",
	};
	static const struct diff_args args[] = { { { 5, 0, 0, 6 } },
						 { { 6, 0, 0, 0 } } };
	struct diff *d = diff_new(16);
	struct sb b;

	sb_init(&b, 4096);
	declare_others(d);
	diff_var(d, "k", DIF_VS_GLOBAL, "int 8", "s8");
	diff_var(d, "k1", DIF_VS_GLOBAL, "int 8", "s1");
	diff_var(d, "k64", DIF_VS_GLOBAL, "int 8", "s64 i");
	for (unsigned i = 0; i < BASE_NELEMS(keys); i++)
		for (unsigned l = 0; l < BASE_NELEMS(limits); l++)
			for (unsigned v = 0; v < 3; v++) {
				static const char *const vars[] = { "k", "k1",
								    "k64" };
				const char *more = v == 2 ?
					"pushtv DT_TYPE(0), %r0, %r0\n" : "";
				for (unsigned store = 0; store < 2; store++) {
					struct diff_clause *c = diff_clause(d,
						"%s %s key %u limit %u",
						store ? "store" : "load",
						vars[v], i, l);
					sb_reset(&b);
					sb_printf(&b, "ldgs arg0, %%r1\n%s%s"
						"pushtr DT_TYPE(1), %%r6, "
						"%%r7\n%s", keys[i],
						limits[l], more);
					sb_printf(&b, store ?
						"stgaa %%r1, %s\nret %%r1" :
						"ldgaa %s, %%r1\nret %%r1",
						vars[v]);
					diff_int(c, 8, sb_str(&b));
				}
			}
	sb_fini(&b);
	diff_batch(d, 120);
	return diff_finish(d, args, 2);
}

/* Many and large keys. */
static unsigned
test_large_keys(void)
{
	static const struct diff_args args[] = { { { 5 } }, { { 5 } },
						 { { 6 } } };
	struct diff *d = diff_new(256);
	struct sb b, keys;

	sb_init(&b, 1 << 16);
	sb_init(&keys, 1 << 16);
	for (int i = 0; i < 63; i++)
		sb_puts(&keys, "i ");
	diff_var(d, "many", DIF_VS_GLOBAL, "int 8", sb_str(&keys));
	diff_var(d, "tmany", DIF_VS_THREAD, "string 20", sb_str(&keys));
	diff_var(d, "large", DIF_VS_GLOBAL, "string 256", "s256 s256 s256 i");
	diff_var(d, "tlarge", DIF_VS_THREAD, "int 4", "s256 i s256");
	for (unsigned k = 0; k < 4; k++) {
		bool store = k & 1, thread = k & 2;
		sb_reset(&b);
		for (int i = 0; i < 63; i++)
			sb_printf(&b, "setx %d, %%r1\n%spushtv DT_TYPE(0), "
				  "%%r0, %%r1\n", i * 1000,
				  i == 40 ? "ldgs arg0, %r1\n" : "");
		sb_printf(&b, "sets \"value\", %%r2\n%s %%r%d, %s\nret %%r0",
			  thread ? "sttaa" : "stgaa", thread ? 2 : 1,
			  thread ? "tmany" : "many");
		if (store) {
			diff_int(diff_clause(d, "store 63 keys"), 8,
				 sb_str(&b));
			continue;
		}
		sb_reset(&b);
		for (int i = 0; i < 63; i++)
			sb_printf(&b, "setx %d, %%r1\n%spushtv DT_TYPE(0), "
				  "%%r0, %%r1\n", i * 1000,
				  i == 40 ? "ldgs arg0, %r1\n" : "");
		sb_printf(&b, "%s %s, %%r2\nret %%r2",
			  thread ? "ldtaa" : "ldgaa",
			  thread ? "tmany" : "many");
		struct diff_clause *c = diff_clause(d, "load 63 keys");
		if (thread)
			diff_str(c, 20, sb_str(&b));
		else
			diff_int(c, 8, sb_str(&b));
	}
	static const char *const texts[] = {
		"sets \"one\", %r1\npushtr DT_TYPE(1), %r0, %r1\n"
		"ldgs execname, %r1\npushtr DT_TYPE(1), %r0, %r1\n"
		"ldgs probefunc, %r1\npushtr DT_TYPE(1), %r0, %r1\n"
		"ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n",
		"sets \"one\", %r1\npushtr DT_TYPE(1), %r0, %r1\n"
		"ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		"ldgs probefunc, %r1\npushtr DT_TYPE(1), %r0, %r1\n",
	};
	for (unsigned k = 0; k < 6; k++) {
		bool store = k % 3 == 1, thread = k / 3;
		sb_reset(&b);
		sb_puts(&b, texts[thread]);
		if (store)
			sb_printf(&b, "ldgs execname, %%r2\n%s %%r%d, %s\n"
				  "ret %%r0", thread ? "sttaa" : "stgaa",
				  thread ? 1 : 2, thread ? "tlarge" : "large");
		else
			sb_printf(&b, "%s %s, %%r2\nret %%r2",
				  thread ? "ldtaa" : "ldgaa",
				  thread ? "tlarge" : "large");
		struct diff_clause *c = diff_clause(d, "large key %u", k);
		if (!thread && !store)
			diff_str(c, 256, sb_str(&b));
		else
			diff_loose(c), diff_int(c, 8, sb_str(&b));
	}
	sb_fini(&b);
	sb_fini(&keys);
	return diff_finish(d, args, 3);
}

/* No room: a drop, and the DIFO goes on. */
static unsigned
test_room(void)
{
	struct diff *d = diff_new(64);
	struct diff_args args[30];

	diff_room(d, 4);
	diff_var(d, "a", DIF_VS_GLOBAL, "int 8", "i");
	diff_int(diff_clause(d, "store"), 8, "ldgs arg0, %r1\n"
		 "pushtv DT_TYPE(0), %r0, %r1\nldgs arg1, %r2\n"
		 "stgaa %r2, a\nret %r1");
	diff_int(diff_clause(d, "load"), 8, "ldgs arg0, %r1\n"
		 "pushtv DT_TYPE(0), %r0, %r1\nldgaa a, %r1\nret %r1");
	for (unsigned i = 0; i < 30; i++)
		args[i] = (struct diff_args){ { i % 7, (i * 5 + 1) % 4 } };
	return diff_finish(d, args, 30);
}

/* More than there can be maps: they share some, and none has what is another's. */
static unsigned
test_many(void)
{
	static const struct { const char *keys, *push; } keys[] = {
		{ "i", "ldgs arg1, %r6\npushtv DT_TYPE(0), %r0, %r6\n" },
		{ "i i", "ldgs arg1, %r6\npushtv DT_TYPE(0), %r0, %r6\n"
		  "pushtv DT_TYPE(0), %r0, %r6\n" },
		{ "s16", "sets \"key\", %r7\npushtr DT_TYPE(1), %r0, %r7\n" },
		{ "s600", "sets \"key\", %r7\npushtr DT_TYPE(1), %r0, %r7\n" },
	};
	static const struct { const char *type, *value; } types[] = {
		{ "int 8", "ldgs arg0, %r1\n" }, { "int 1", "ldgs arg0, %r1\n" },
		{ "string 20", "sets \"text\", %r1\n" },
		{ "string 100", "ldgs execname, %r1\n" },
	};
	static const struct diff_args args[] = {
		{ { 7, 1 } }, { { 0x1234, 2 } }, { { 0, 1 } },
	};
	struct diff *d = diff_new(64);
	char name[16];
	struct sb b;

	sb_init(&b, 4096);
	for (unsigned i = 0; i < 96; i++) {
		unsigned k = i % 4, t = i / 4 % 4;
		struct place p = places[i / 16 % 2 ? 5 : 3];
		p.push = keys[k].push;
		snprintf(name, sizeof(name), "v%u", i);
		diff_var(d, name, p.scope, types[t].type, keys[k].keys);
		/* Two of three are stored to. */
		if (i % 3)
			diff_int(use(d, "it", name, true), 8,
				 store_text(&b, &p, name, types[t].value));
		if (t < 2)
			diff_int(use(d, "behind", name, false), 8,
				 load_text(&b, &p, name));
		else
			diff_str(use(d, "behind", name, false), 100,
				 load_text(&b, &p, name));
	}
	sb_fini(&b);
	return diff_finish(d, args, BASE_NELEMS(args));
}

static const char *const mixed[][2] = {
	{ "store and load at once", "ldgs arg0, %r1\nstts %r1, t\nldts t, %r2\n"
	  "add %r1, %r2, %r2\nret %r2" },
	{ "count", "ldgs n, %r1\nsetx 1, %r2\nadd %r1, %r2, %r1\nstgs %r1, n\n"
	  "ret %r1" },
	{ "thread count", "ldts t, %r1\nsetx 1, %r2\nadd %r1, %r2, %r1\n"
	  "stts %r1, t\nret %r1" },
	{ "a string, then another of the same variable",
	  "sets \"first\", %r1\nstts %r1, ts\nldts ts, %r2\n"
	  "pushtr DT_TYPE(1), %r0, %r2\ncall strlen, %r3\nflushts\n"
	  "sets \"second\", %r1\nstts %r1, ts\nldts ts, %r2\n"
	  "pushtr DT_TYPE(1), %r0, %r2\ncall strlen, %r4\n"
	  "mul %r3, %r4, %r3\nret %r3" },
	{ "two thread-locals", "sets \"first\", %r1\nstts %r1, ts\n"
	  "sets \"longer\", %r1\nstts %r1, ts2\nldts ts, %r1\nldts ts2, %r2\n"
	  "scmp %r1, %r2\nbl A\nret %r0\nA: setx 1, %r1\nret %r1" },
	{ "swap", "sets \"one\", %r1\nstgs %r1, s\nsets \"two\", %r1\n"
	  "stts %r1, ts\nldts ts, %r1\nldgs s, %r2\nstls %r2, ls\n"
	  "stgs %r1, s\nldls ls, %r1\nstts %r1, ts\nldgs s, %r1\n"
	  "ldts ts, %r2\nscmp %r1, %r2\nbg A\nret %r0\nA: setx 1, %r1\n"
	  "ret %r1" },
	{ "into itself", "sets \"itself\", %r1\nstgs %r1, s\nldgs s, %r1\n"
	  "stgs %r1, s\nldgs s, %r1\npushtr DT_TYPE(1), %r0, %r1\n"
	  "call strlen, %r1\nret %r1" },
	{ "into itself, moved", "sets \"itself\", %r1\nstgs %r1, s\n"
	  "ldgs s, %r1\nsetx 2, %r2\nadd %r1, %r2, %r1\n"
	  "stgs %r1, s\nldgs s, %r1\npushtr DT_TYPE(1), %r0, %r1\n"
	  "call strlen, %r1\nret %r1" },
	{ "into itself, moved, unknown", "sets \"itself\", %r1\nstgs %r1, s\n"
	  "ldgs s, %r1\nsetx 2, %r2\nadd %r1, %r2, %r1\nldgs arg9, %r2\n"
	  "add %r1, %r2, %r1\nstgs %r1, s\nldgs s, %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall strlen, %r1\nret %r1" },
	{ "thread-local into itself", "ldts ts, %r1\nstts %r1, ts\n"
	  "ldts ts, %r1\npushtr DT_TYPE(1), %r0, %r1\n"
	  "call strlen, %r1\nret %r1" },
	{ "an element into another", "setx 1, %r1\n"
	  "pushtv DT_TYPE(0), %r0, %r1\nsets \"element\", %r2\n"
	  "stgaa %r2, as\nldgaa as, %r3\nflushts\nsetx 2, %r1\n"
	  "pushtv DT_TYPE(0), %r0, %r1\nstgaa %r3, as\nldgaa as, %r4\n"
	  "flushts\npushtr DT_TYPE(1), %r0, %r4\ncall strlen, %r1\nret %r1" },
	{ "a key that is an element", "setx 1, %r1\n"
	  "pushtv DT_TYPE(0), %r0, %r1\nldgaa as, %r2\nflushts\n"
	  "pushtr DT_TYPE(1), %r0, %r2\nldgs n, %r1\nstgaa %r1, bs\n"
	  "ldgaa bs, %r3\nret %r3" },
	{ "a faulting key stores nothing", "setx 1, %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\nstgaa %r1, bs\nret %r0" },
	{ "key and value bad", "setx 1, %r1\nsetx 2, %r2\n"
	  "pushtr DT_TYPE(1), %r0, %r1\nstgaa %r2, cs\nret %r0" },
	{ "value bad", "setx 1, %r1\nsetx 2, %r2\n"
	  "pushtv DT_TYPE(0), %r0, %r1\nstgaa %r2, as\nret %r0" },
	{ "a load in one arm", "ldgs arg0, %r1\nsets \"lit\", %r2\ntst %r1\n"
	  "be A\nldts ts, %r2\nA: pushtr DT_TYPE(1), %r0, %r2\n"
	  "call strlen, %r1\nret %r1" },
	{ "execname or literal", "ldgs arg0, %r1\nsets \"lit\", %r2\ntst %r1\n"
	  "be A\nldgs execname, %r2\nA: sets \"diff-vars\", %r3\n"
	  "scmp %r2, %r3\nbe B\nret %r0\nB: setx 1, %r1\nret %r1" },
	{ "literal or execname, swapped", "ldgs arg0, %r1\n"
	  "ldgs execname, %r2\ntst %r1\n"
	  "be A\nsets \"diff-vars\", %r2\nA: ldgs execname, %r3\n"
	  "scmp %r3, %r2\nbe B\nret %r0\nB: setx 1, %r1\nret %r1" },
	{ "a string or 0", "ldgs arg0, %r1\nmov %r0, %r2\ntst %r1\n"
	  "be A\nldgs execname, %r2\nA: stts %r2, ts\nldts ts, %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall strlen, %r1\nret %r1" },
	{ "a string or a bad address", "ldgs arg0, %r1\nsetx 5, %r2\ntst %r1\n"
	  "be A\nldgs execname, %r2\nA: stts %r2, ts\nldts ts, %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall strlen, %r1\nret %r1" },
	{ "local seen by the next clause", "ldgs arg0, %r1\nstls %r1, l\n"
	  "sets \"seen\", %r1\nstls %r1, ls\nret %r0" },
	{ "number", "ldls l, %r1\nret %r1" },
	{ "string", "ldls ls, %r1\npushtr DT_TYPE(1), %r0, %r1\n"
	  "call strlen, %r1\nret %r1" },
};

static unsigned
test_mixed(void)
{
	static const struct diff_args args[] = { { { 0 } }, { { 1 } },
						 { { 0 } }, { { 7 } } };
	struct diff *d = diff_new(64);

	diff_var(d, "n", DIF_VS_GLOBAL, "int 4", NULL);
	diff_var(d, "t", DIF_VS_THREAD, "int 8", NULL);
	diff_var(d, "l", DIF_VS_LOCAL, "int 8", NULL);
	diff_var(d, "s", DIF_VS_GLOBAL, "string 20", NULL);
	diff_var(d, "ls", DIF_VS_LOCAL, "string 20", NULL);
	diff_var(d, "ts", DIF_VS_THREAD, "string 20", NULL);
	diff_var(d, "ts2", DIF_VS_THREAD, "string 20", NULL);
	diff_var(d, "as", DIF_VS_GLOBAL, "string 20", "i");
	diff_var(d, "bs", DIF_VS_GLOBAL, "int 8", "s20");
	diff_var(d, "cs", DIF_VS_GLOBAL, "string 20", "s20");
	for (unsigned i = 0; i < BASE_NELEMS(mixed); i++)
		diff_int(diff_clause(d, "%s", mixed[i][0]), 8, mixed[i][1]);
	return diff_finish(d, args, 4);
}

/* What is only added to, and what is stored into, too; of each size. */
static unsigned
test_sums(void)
{
	static const struct diff_args args[] = {
		{ { 1, 5 } }, { { 1, (uint64_t)-5 } }, { { 2, 1ull << 31 } },
		{ { 2, 1ull << 31 } }, { { 1, 1ull << 40 } }, { { 1, 0 } },
		{ { 3, 0 } }, { { 3, UINT64_MAX } }, { { 3, 1 } },
	};
	static const char *const sizes[] = { "int 1", "int 2", "int 4",
					     "int 8" };
	unsigned bad = 0;

	for (unsigned i = 0; i < BASE_NELEMS(sizes); i++) {
		struct diff *d = diff_new(64);
		diff_var(d, "n", DIF_VS_GLOBAL, sizes[i], NULL);
		diff_var(d, "a", DIF_VS_GLOBAL, sizes[i], "i");
		diff_var(d, "b", DIF_VS_GLOBAL, sizes[i], "i s8");
		diff_int(diff_clause(d, "scalar"), 8, "ldgs arg1, %r1\n"
			 "addgs %r1, n\naddgs %r1, n\nldgs n, %r2\nret %r2");
		diff_int(diff_clause(d, "only added to"), 8,
			 "ldgs arg0, %r1\nldgs arg1, %r2\n"
			 "pushtv DT_TYPE(0), %r0, %r1\naddgaa %r2, a\n"
			 "addgaa %r2, a\nldgaa a, %r3\nret %r3");
		diff_int(diff_clause(d, "stored into, too"), 8,
			 "ldgs arg0, %r1\nldgs arg1, %r2\n"
			 "sets \"key\", %r3\npushtv DT_TYPE(0), %r0, %r1\n"
			 "pushtr DT_TYPE(1), %r0, %r3\naddgaa %r2, b\n"
			 "ldgaa b, %r4\nadd %r4, %r1, %r4\nstgaa %r4, b\n"
			 "addgaa %r2, b\nldgaa b, %r4\nret %r4");
		diff_int(diff_clause(d, "a bad key"), 8, "setx 1, %r1\n"
			 "pushtv DT_TYPE(0), %r0, %r1\n"
			 "pushtr DT_TYPE(1), %r0, %r1\naddgaa %r1, b\n"
			 "ret %r0");
		diff_int(diff_clause(d, "old values"), 8, "ldgs arg1, %r1\n"
			 "addgs %r1, n\noldgs n, %r2\nldgs n, %r3\n"
			 "sll %r2, %r1, %r2\nxor %r2, %r3, %r2\nret %r2");
		diff_int(diff_clause(d, "of elements"), 8,
			 "ldgs arg0, %r1\nldgs arg1, %r2\n"
			 "pushtv DT_TYPE(0), %r0, %r2\naddgaa %r1, a\n"
			 "oldgaa a, %r3\naddgaa %r2, a\noldgaa a, %r4\n"
			 "add %r3, %r4, %r3\nret %r3");
		diff_int(diff_clause(d, "of what is stored into"), 8,
			 "ldgs arg0, %r1\nldgs arg1, %r2\n"
			 "sets \"old\", %r3\npushtv DT_TYPE(0), %r0, %r1\n"
			 "pushtr DT_TYPE(1), %r0, %r3\naddgaa %r2, b\n"
			 "oldgaa b, %r4\naddgaa %r2, b\noldgaa b, %r5\n"
			 "add %r4, %r5, %r4\nret %r4");
		bad += diff_finish(d, args, BASE_NELEMS(args));
	}
	return bad;
}

/* The address of a thread-local's value outlives the DIFO. */
static unsigned
test_addresses(void)
{
	static const struct diff_args args[] = { { { 0 } }, { { 1 } } };
	struct diff *d = diff_new(64);
	struct diff_clause *c;

	diff_var(d, "p", DIF_VS_LOCAL, "int 8", NULL);
	diff_var(d, "q", DIF_VS_LOCAL, "int 8", NULL);
	diff_var(d, "ts", DIF_VS_THREAD, "string 20", NULL);
	diff_var(d, "ts2", DIF_VS_THREAD, "string 20", NULL);
	c = diff_clause(d, "two addresses");
	diff_expr(c, "sets \"first\", %r1\nstts %r1, ts\n"
		  "sets \"second\", %r1\nstts %r1, ts2\nret %r0");
	diff_expr(c, "ldts ts, %r1\nstls %r1, p\nret %r0");
	diff_expr(c, "ldts ts2, %r1\nstls %r1, q\nret %r0");
	diff_str(c, 20, "ldls p, %r1\nret %r1");
	diff_str(c, 20, "ldls q, %r1\nret %r1");
	diff_int(c, 8, "ldls p, %r1\nldls q, %r2\nscmp %r1, %r2\nbl A\n"
		 "ret %r0\nA: setx 1, %r1\nret %r1");
	return diff_finish(d, args, 2);
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "by value", test_values },
		{ "strings", test_strings },
		{ "strings, strsize 8", test_short_strings },
		{ "structs", test_structs },
		{ "compares of strings", test_scmp },
		{ "keys", test_keys },
		{ "large keys", test_large_keys },
		{ "no room", test_room },
		{ "many arrays", test_many },
		{ "mixed", test_mixed },
		{ "sums", test_sums },
		{ "addresses", test_addresses },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}
