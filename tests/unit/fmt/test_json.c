/* SPDX-License-Identifier: BSD-2-Clause
 *
 * JSON: its text, byte by byte, and each kind of event, as doc/spec/json.md has
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmt/jtext.h"
#include "fmtworld.h"
#include "support/mktype.h"
#include "type/make.h"
#include "type/type.h"
#include "util/alloc.h"

/* --- Text --------------------------------------------------------------- */

static void
expect_member(const char *p, size_t n, const char *want)
{
	struct sb b;
	struct fmt_j j = { .b = &b };

	sb_init(&b, 4096);
	fmt_j_member(&j, "m", p, n);
	assert_string_equal(sb_str(&b), want);
	sb_fini(&b);
}

/* Every byte there is, between two that are plain. */
static void
test_every_byte(void **state)
{
	static const char *const short_[256] = {
		['"'] = "\\\"", ['\\'] = "\\\\", ['\b'] = "\\b",
		['\f'] = "\\f", ['\n'] = "\\n", ['\r'] = "\\r",
		['\t'] = "\\t",
	};

	for (unsigned c = 0; c < 256; c++) {
		char in[3] = { 'a', (char)c, 'z' }, want[64];
		if (c >= 0x80)
			snprintf(want, sizeof(want), "\"m\":\"a\xef\xbf\xbdz\""
				 ",\"m-hex\":\"61%02x7a\"", c);
		else if (short_[c])
			snprintf(want, sizeof(want), "\"m\":\"a%sz\"",
				 short_[c]);
		else if (c < 0x20)
			snprintf(want, sizeof(want), "\"m\":\"a\\u%04xz\"", c);
		else
			snprintf(want, sizeof(want), "\"m\":\"a%cz\"", c);
		expect_member(in, 3, want);
	}
}

static void
test_utf8(void **state)
{
	static const struct { const char *in; size_t len; } rows[] = {
		{ "", 0 }, { "a", 1 }, { "\x7f", 1 }, { "\x80", 0 },
		{ "\xbf", 0 }, { "\xc0\x80", 0 }, { "\xc1\xbf", 0 },
		{ "\xc2\x80", 2 }, { "\xdf\xbf", 2 }, { "\xc2", 0 },
		{ "\xc2\x41", 0 }, { "\xc2\xc0", 0 },
		{ "\xe0\x9f\xbf", 0 }, { "\xe0\xa0\x80", 3 },
		{ "\xe2\x82\xac", 3 }, { "\xe2\x82", 0 },
		{ "\xe2\x82\x41", 0 }, { "\xed\x9f\xbf", 3 },
		{ "\xed\xa0\x80", 0 }, { "\xed\xbf\xbf", 0 },
		{ "\xee\x80\x80", 3 }, { "\xef\xbf\xbf", 3 },
		{ "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x90\x80\x80", 4 },
		{ "\xf0\x9f\x98\x80", 4 }, { "\xf0\x9f\x98", 0 },
		{ "\xf4\x8f\xbf\xbf", 4 }, { "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 }, { "\xff", 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(base_utf8(rows[i].in, strlen(rows[i].in)),
				 rows[i].len);
}

static void
test_strings(void **state)
{
	static const struct { const char *in, *want; } rows[] = {
		{ "", "\"m\":\"\"" },
		{ "plain", "\"m\":\"plain\"" },
		{ "\xc3\xa4\xf0\x9f\x98\x80", "\"m\":\"\xc3\xa4\xf0\x9f\x98\x80\"" },
		/* a character that was cut */
		{ "a\xe2\x82", "\"m\":\"a\xef\xbf\xbd\xef\xbf\xbd\","
		  "\"m-hex\":\"61e282\"" },
		{ "\xed\xa0\x80", "\"m\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
		  "\",\"m-hex\":\"eda080\"" },
		{ "</script>", "\"m\":\"</script>\"" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		expect_member(rows[i].in, strlen(rows[i].in), rows[i].want);
	expect_member("a\0b", 3, "\"m\":\"a\\u0000b\"");
}

static void
test_numbers(void **state)
{
	struct sb b;
	struct fmt_j j = { .b = &b };

	sb_init(&b, 4096);
	fmt_j_open(&j, false);
	fmt_j_int(&j, 0);
	fmt_j_int(&j, -1);
	fmt_j_int(&j, INT64_MAX);
	fmt_j_int(&j, INT64_MIN);
	fmt_j_uint(&j, UINT64_MAX);
	fmt_j_float(&j, "1.5");
	fmt_j_float(&j, "-1e+300");
	fmt_j_float(&j, "nan");
	fmt_j_float(&j, "-nan");
	fmt_j_float(&j, "inf");
	fmt_j_float(&j, "-inf");
	fmt_j_open(&j, true);
	fmt_j_key_int(&j, "a", 1);
	fmt_j_key(&j, "b");
	fmt_j_open(&j, false);
	fmt_j_close(&j);
	fmt_j_close(&j);
	fmt_j_hex(&j, "\x00\xff", 2);
	fmt_j_close(&j);
	assert_string_equal(sb_str(&b), "[0,-1,9223372036854775807,"
		"-9223372036854775808,18446744073709551615,1.5,-1e+300,"
		"\"NaN\",\"NaN\",\"Infinity\",\"-Infinity\","
		"{\"a\":1,\"b\":[]},\"00ff\"]");
	sb_fini(&b);
}

/* --- Events ------------------------------------------------------------- */

#define DOC "{\"dtrace\":{\"format\":1,\"probes\":["
#define NAME "\"id\":1,\"provider\":\"p\",\"module\":\"m\"," \
	"\"function\":\"func\",\"name\":\"name\""
/* A firing at time t (walltimestamp: 1000 more) on CPU 0, without who. */
#define AT(t, wall, output) "{\"timestamp\":" #t ",\"walltimestamp\":" #wall \
	",\"cpu\":0," NAME ",\"output\":[" output "]}"
#define PSEUDO(t, wall, name) "{\"timestamp\":" #t ",\"walltimestamp\":" \
	#wall ",\"cpu\":-1,\"id\":-1,\"provider\":\"dtrace\"," \
	"\"module\":\"INTERNAL\",\"function\":\"INTERNAL\",\"name\":\"" name "\","

static struct fw *
new_json(bool lines)
{
	struct fw *w = fw_new();

	w->opts.v[OPT_OFORMAT] = lines ? OPT_OFORMAT_JSONL : OPT_OFORMAT_JSON;
	return w;
}

static void
open_json(struct fw *w)
{
	fw_open(w);
	fmt_set_clock(w->f, 77, 1000);
}

static void
test_nothing(void **state)
{
	struct fw *w = new_json(false);

	open_json(w);
	fw_end(w);
	fw_expect(w, DOC "\n]}}\n");
	fw_free(w);
	w = new_json(true);
	open_json(w);
	fw_end(w);
	fw_expect(w, "");
	fw_free(w);
}

static void
test_document(void **state)
{
	struct fw *w = new_json(false);
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_who(cl);
	rm_set_who(w->m, fw_fire(w, cl), 7, 8, "a\"b");
	open_json(w);
	fw_run(w);
	fw_expect(w, DOC "\n{\"timestamp\":1,\"walltimestamp\":1001,\"cpu\":0,"
		  NAME ",\"pid\":7,\"tid\":8,\"execname\":\"a\\\"b\","
		  "\"output\":[]}");
	rm_set_who(w->m, fw_fire(w, cl), 1, 2, "\xff");
	fw_run(w);
	fw_expect(w, ",\n{\"timestamp\":2,\"walltimestamp\":1002,\"cpu\":0,"
		  NAME ",\"pid\":1,\"tid\":2,\"execname\":\"\xef\xbf\xbd\","
		  "\"execname-hex\":\"ff\",\"output\":[]}");
	fw_end(w);
	fw_expect(w, "\n]}}\n");
	fw_free(w);
}

/* trace() of everything that a field can be. */
static void
test_values(void **state)
{
	static const struct {
		uint8_t kind, is_signed, sub;
		uint32_t size;
		const char *bytes, *want;
	} rows[] = {
		{ ABI_FIELD_INT, 1, 0, 1, "\xff", "{\"value\":-1}" },
		{ ABI_FIELD_INT, 0, 0, 1, "\xff", "{\"value\":255}" },
		{ ABI_FIELD_INT, 1, 0, 8, "\xff\xff\xff\xff\xff\xff\xff\x7f",
		  "{\"value\":9223372036854775807}" },
		{ ABI_FIELD_INT, 0, 0, 8, "\xff\xff\xff\xff\xff\xff\xff\xff",
		  "{\"value\":18446744073709551615}" },
		{ ABI_FIELD_INT, 1, ABI_MEANS_FLOAT, 8,
		  "\0\0\0\0\0\0\xf8\x3f", "{\"value\":1.5}" },
		{ ABI_FIELD_INT, 1, ABI_MEANS_FLOAT, 8,
		  "\0\0\0\0\0\0\xf0\xff", "{\"value\":\"-Infinity\"}" },
		{ ABI_FIELD_INT, 1, ABI_MEANS_FLOAT, 4, "\0\0\xc0\x7f",
		  "{\"value\":\"NaN\"}" },
		{ ABI_FIELD_STRING, 0, 0, 8, "ab\nc\0xyz",
		  "{\"value\":\"ab\\nc\"}" },
		{ ABI_FIELD_STRING, 0, 0, 4, "\xff\0\0\0",
		  "{\"value\":\"\xef\xbf\xbd\",\"value-hex\":\"ff\"}" },
		{ ABI_FIELD_BYTES, 0, 0, 4, "ab\0\0", "{\"value\":\"ab\"}" },
		{ ABI_FIELD_BYTES, 0, 0, 4, "a\0b\0", "{\"bytes\":\"61006200\"}" },
		{ ABI_FIELD_PROBE, 0, ABI_PART_FUNC, 4, "\1\0\0\0",
		  "{\"value\":\"func\"}" },
		{ ABI_FIELD_SYM, 0, 0, 8, "\x10\0\0\0\0\0\0\0",
		  "{\"sym\":\"0x10\",\"address\":16}" },
		{ ABI_FIELD_UMOD, 0, 0, 16,
		  "\5\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0",
		  "{\"pid\":5,\"umod\":\"0x10\",\"address\":16}" },
		{ ABI_FIELD_STACK, 0, 0, 24,
		  "\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
		  "{\"stack-frames\":[{\"symbol\":\"0x10\",\"address\":16},"
		  "{\"symbol\":\"0x20\",\"address\":32}]}" },
		{ ABI_FIELD_USTACK, 0, 0, 16,
		  "\5\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
		  "{\"pid\":5,\"ustack-frames\":[{\"symbol\":"
		  "\"0xffffffffffffffff\",\"address\":18446744073709551615}]}" },
		/* of ABI_USTACK_BLIND */
		{ ABI_FIELD_USTACK, 0, 0, 24,
		  "\5\0\0\0\1\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
		  "{\"pid\":5,\"ustack-frames\":[{\"symbol\":\"0x10\","
		  "\"address\":16},{\"symbol\":\"[by frame pointer]\","
		  "\"name\":\"[by frame pointer]\",\"offset\":0,\"address\":0}]}" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = new_json(true);
		struct rm_clause *cl = rm_clause(w->m, 0);
		char want[512];
		rm_action(cl, ABI_ACT_DIFEXPR, NULL);
		rm_field(cl, rows[i].kind, rows[i].size, rows[i].is_signed);
		cl->fields[0].sub = rows[i].sub;
		rm_set_bytes(w->m, fw_fire(w, cl), 0, rows[i].bytes,
			     rows[i].size);
		open_json(w);
		fw_run(w);
		snprintf(want, sizeof(want), AT(1, 1001, "%s") "\n",
			 rows[i].want);
		fw_expect(w, want);
		fw_free(w);
	}
}

static void
test_actions(void **state)
{
	struct fw *w = new_json(true);
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_PRINTF, "%d of \"%s\"\n");
	rm_field(cl, ABI_FIELD_INT, 4, true);
	rm_field(cl, ABI_FIELD_STRING, 8, false);
	rm_action(cl, ABI_ACT_PRINTF, "none");
	rm_action(cl, ABI_ACT_TRACEMEM, NULL);
	rm_field(cl, ABI_FIELD_BYTES, 4, false);
	rm_field(cl, ABI_FIELD_INT, 8, true);
	rm_action(cl, ABI_ACT_SYSTEM, "ls %d");
	rm_field(cl, ABI_FIELD_INT, 4, true);
	rm_action(cl, ABI_ACT_FREOPEN, "elsewhere");
	rm_action(cl, ABI_ACT_EXIT, NULL);
	rm_field(cl, ABI_FIELD_INT, 4, true);
	struct abi_record *r = fw_fire(w, cl);
	rm_set_int(w->m, r, 0, -3);
	rm_set_bytes(w->m, r, 1, "x", 1);
	rm_set_bytes(w->m, r, 2, "\1\2\3\4", 4);
	rm_set_int(w->m, r, 3, 3);
	rm_set_int(w->m, r, 4, 9);
	rm_set_int(w->m, r, 5, 2);
	open_json(w);
	fw_run(w);
	/* [203:...] is the action, carried out behind what was said so far */
	fw_expect(w, "{\"timestamp\":1,\"walltimestamp\":1001,\"cpu\":0," NAME
		  ",\"output\":[{\"message\":\"-3 of \\\"x\\\"\\n\",\"args\":2},"
		  "{\"value\":-3},{\"value\":\"x\"},"
		  "{\"message\":\"none\",\"args\":0},"
		  "{\"tracemem\":\"010203\"},{\"system\":\"ls 9\"}"
		  "[203:ls 9=none],{\"exit\":2}]}\n");
	fw_free(w);
}

/* print(): values have the shape of their types. */
static void
expect_print(const struct type *t, const void *p, const char *output)
{
	struct fw *w = new_json(true);
	struct rm_clause *cl = rm_clause(w->m, 0);
	char want[1024];

	rm_action(cl, ABI_ACT_PRINT, NULL)->type = t;
	rm_field(cl, ABI_FIELD_BYTES, (uint32_t)type_size(t), false);
	rm_set_bytes(w->m, fw_fire(w, cl), 0, p, type_size(t));
	open_json(w);
	fw_run(w);
	snprintf(want, sizeof(want), AT(1, 1001, "{\"print\":%s}") "\n",
		 output);
	fw_expect(w, want);
	fw_free(w);
}

static void
test_print(void **state)
{
	static const struct type_enumerator e[] = { { "RED", 1 } };
	struct arena *a = arena_new();
	struct type_member in[] = {
		{ "low", &type_short, 0, 0 }, { "high", &type_ushort, 0, 0 },
	};
	struct type_member m[] = {
		{ "c", type_new_array(a, &type_char, 4), 0, 0 },
		{ NULL, mktype_sou(a, TYPE_STRUCT, NULL, in, 2), 0, 0 },
		{ "of", type_new_array(a, mktype_sou(a, TYPE_UNION, "u", in,
						       2), 2), 0, 0 },
		{ "e", mktype_enum(a, "e", e, 1), 0, 0 },
		{ "b", &type_int, 0, 3 },
		{ "p", type_new_ptr(a, &type_void), 0, 0 },
		{ "s", type_new_string(a, 4), 0, 0 },
		{ "f", &type_float, 0, 0 },
	};
	struct {
		char c[4];
		short low, high;
		short of[2];
		int e, b;
		void *p;
		char s[4];
		float f;
	} v = { "hi", -1, -1, { -2, 3 }, 1, 6, (void *)16, "\xff", 0.1f };
	const struct type *t = mktype_sou(a, TYPE_STRUCT, "v", m, 8);
	const struct type *strings = type_new_array(a, m[6].type, 2);

	assert_int_equal(type_size(t), sizeof(v));
	expect_print(t, &v, "\"struct v\",\"value\":{\"c\":\"hi\","
		"\"low\":-1,\"high\":65535,\"of\":[{\"low\":-2,\"high\":65534},"
		"{\"low\":3,\"high\":3}],\"e\":\"RED\",\"b\":-2,\"p\":16,"
		"\"s\":\"\xef\xbf\xbd\",\"s-hex\":\"ff\",\"f\":0.1}");
	expect_print(&type_int, (int[]){ -7 }, "\"int\",\"value\":-7");
	expect_print(m[3].type, (int[]){ 9 }, "\"enum e\",\"value\":9");
	expect_print(m[6].type, "\xff\0\0", "\"string\",\"value\":"
		     "\"\xef\xbf\xbd\",\"value-hex\":\"ff\"");
	expect_print(strings, "a\0\0\0\xff\0\0",
		     "\"string [2]\",\"value\":[\"a\",{\"bytes\":\"ff\"}]");
	arena_free(a);
}

/* As deep as types may nest: null where it is too much. */
static void
test_print_deep(void **state)
{
	struct arena *a = arena_new();
	struct type_member m = { "m", &type_int, 0, 0 };
	const struct type *t = &type_int;
	char want[1024] = "\"struct s\",\"value\":";

	for (int i = 0; i < 60; i++) {
		t = mktype_sou(a, TYPE_STRUCT, "s", &m, 1);
		m.type = t;
	}
	for (int i = 0; i < 40; i++)
		strcat(want, "{\"m\":");
	strcat(want, "null");
	for (int i = 0; i < 40; i++)
		strcat(want, "}");
	expect_print(t, (int[]){ 1 }, want);
	arena_free(a);
}

/* Quiet: no events without output, neither as the first nor later. */
static void
test_quiet(void **state)
{
	struct fw *w = new_json(false);
	struct rm_clause *cl = rm_clause(w->m, 0), *one = rm_clause(w->m, 0);

	rm_action(one, ABI_ACT_DIFEXPR, NULL);
	rm_field(one, ABI_FIELD_INT, 4, true);
	fw_fire(w, cl);
	fw_fire(w, one);
	fw_fire(w, cl);
	fw_fire(w, one);
	w->opts.v[OPT_QUIET] = 1;
	open_json(w);
	fw_run(w);
	fw_end(w);
	fw_expect(w, DOC "\n" AT(2, 1002, "{\"value\":0}") ",\n"
		  AT(4, 1004, "{\"value\":0}") "\n]}}\n");
	fw_free(w);
}

static void
test_aggregations(void **state)
{
	struct fw *w = new_json(false);
	uint32_t count = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	uint32_t q = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
	uint32_t lq = rm_agg(w->m, ABI_AGG_LQUANTIZE,
			     2ull << 48 | 5ull << 32, 7);
	uint64_t cells[127] = { [0] = 1, [62] = 2, [63] = 3, [66] = 4,
				[126] = 5 };

	w->m->aggs[count - 1].name = "c";
	rm_key(w->m, count, ABI_FIELD_STRING, 4, false);
	rm_key(w->m, count, ABI_FIELD_INT, 4, true);
	rm_sample(w->m, count, "b\0\0\0\1\0\0", (uint64_t[]){ 20 });
	rm_sample(w->m, count, "\xff\0\0\0\xfe\xff\xff\xff",
		  (uint64_t[]){ 30 });
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, "%s", count));
	open_json(w);
	fw_run(w);
	fw_expect(w, DOC "\n" AT(1, 1001, "{\"message\":\"b\xef\xbf\xbd\","
		  "\"message-hex\":\"62ff\",\"args\":1},"
		  "{\"aggregation-data\":["
		  "{\"keys\":[\"b\",1],\"count\":20},"
		  "{\"keys\":[\"\xef\xbf\xbd\",-2],\"keys-hex\":[\"ff\",null],"
		  "\"count\":30}],\"aggregation-name\":\"c\","
		  "\"aggregation-function\":\"count\"}"));
	rm_sample(w->m, q, "", cells);
	rm_sample(w->m, lq, "", (uint64_t[7]){ 1, 2, 0, 0, 0, 0, 3 });
	consume_agg(w->c, q)->normal = 2;
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	fw_expect(w, ",\n" PSEUDO(77, 1077, "END")
		  "\"output\":[{\"aggregation-data\":[{\"keys\":[],\"buckets\":["
		  "{\"value\":-4611686018427387904,"
		  "\"max\":-4611686018427387904,\"count\":0},"
		  "{\"value\":-1,\"min\":-1,\"max\":-1,\"count\":1},"
		  "{\"value\":0,\"min\":0,\"max\":0,\"count\":1},"
		  "{\"value\":4,\"min\":4,\"max\":7,\"count\":2},"
		  "{\"value\":4611686018427387904,"
		  "\"min\":4611686018427387904,\"count\":2}]}],"
		  "\"aggregation-name\":\"\","
		  "\"aggregation-function\":\"quantize\","
		  "\"normalization\":2}]},\n" PSEUDO(77, 1077, "END")
		  "\"output\":[{\"aggregation-data\":[{\"keys\":[],\"buckets\":["
		  "{\"value\":-1,\"max\":-1,\"count\":1},"
		  "{\"value\":0,\"min\":0,\"max\":1,\"count\":2},"
		  "{\"value\":10,\"min\":10,\"count\":3}]}],"
		  "\"aggregation-name\":\"\","
		  "\"aggregation-function\":\"lquantize\"}]}\n]}}\n");
	fw_free(w);
}

static void
test_errors_and_drops(void **state)
{
	struct { struct abi_error_record err; struct abi_who who; } r = {
		.err = { .hdr = { ABI_EPID_ERROR, sizeof(r), 9 }, .action = 2,
			 .dif_offset = -1, .fault = ABI_FAULT_BADADDR,
			 .value = UINT64_MAX },
		.who = { 7, 8, "sh" },
	};
	struct fw *w = new_json(true);
	struct rm_clause *cl = rm_clause(w->m, 0);

	r.err.epid = rm_epid(w->m, w->probe, cl);
	rm_raw(w->m, 3, &r, sizeof(r));
	w->m->drops[ABI_DROP_PRINCIPAL][2] = 5;
	w->m->drops[ABI_DROP_DYNAMIC][0] = 1;
	w->m->clock = 50;
	open_json(w);
	fw_run(w);
	fw_expect(w, PSEUDO(9, 1009, "ERROR") "\"pid\":7,\"tid\":8,"
		  "\"execname\":\"sh\",\"on-cpu\":3,\"epid\":1,\"probe\":{"
		  NAME "},\"fault\":1,\"fault-name\":\"BADADDR\",\"count\":1,"
		  "\"action\":2,\"offset\":-1,"
		  "\"address\":18446744073709551615,"
		  "\"msg\":\"error on enabled probe ID 1 (ID 1: p:m:func:name):"
		  " invalid address (0xffffffffffffffff) in action #2\"}\n"
		  PSEUDO(50, 1050, "DROP") "\"on-cpu\":2,\"count\":5,"
		  "\"total\":5,\"kind\":0,\"kind-name\":\"PRINCIPAL\","
		  "\"msg\":\"5 drops on CPU 2\\n\"}\n"
		  PSEUDO(50, 1050, "DROP") "\"count\":1,\"total\":1,"
		  "\"kind\":2,\"kind-name\":\"DYNAMIC\","
		  "\"msg\":\"1 dynamic variable drop\\n\"}\n");
	fw_free(w);
}

/* --- Ends --------------------------------------------------------------- */

/* Brackets outside strings are closed in the order in which they were opened,
 * and all are. */
static bool
is_closed(const char *p)
{
	char open[64];
	size_t n = 0;
	bool in = false;

	for (; *p; p++) {
		if (*p == '"')
			in = !in;
		else if (in)
			p += *p == '\\';
		else if (*p == '{' || *p == '[')
			open[n++] = (char)(*p + 2);
		else if ((*p == '}' || *p == ']') && (!n || open[--n] != *p))
			return false;
	}
	return !n && !in;
}

/* Many long rows: one that is written in pieces can fail behind the first. */
static struct fw *
long_world(bool lines)
{
	struct fw *w = new_json(lines);
	uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	struct rm_clause *cl = fw_agg_clause(w, ABI_ACT_PRINTA, NULL, agg);

	rm_key(w->m, agg, ABI_FIELD_INT, 4, true);
	for (int i = 0; i < 6000; i++)
		rm_sample(w->m, agg, &i, (uint64_t[]){ 1 });
	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_STRING, 200000, false);
	rm_set_bytes(w->m, fw_fire(w, cl), 0, "a", 1);
	fw_fire(w, cl);
	return w;
}

/* Whatever allocation fails, what was written can be closed. */
static void
test_closed(void **state)
{
	for (int lines = 0; lines < 2; lines++) {
		unsigned long failed = 0;
		for (unsigned long n = 1; failed + 20 > n; n++) {
			struct fw *w = long_world(lines);
			util_alloc_fail(n, 0);
			struct err *e = fw_try_open(w);
			if (!e) {
				e = fw_try_run(w);
				if (e)
					failed = n;
				err_free(e);
				util_alloc_fail(0, 0);
				assert_null(fmt_close(w->f));
				assert_true(is_closed(w->out));
				assert_true(!w->len ||
					    w->out[w->len - 1] == '\n');
				assert_null(fmt_close(w->f));
			} else {
				failed = n;
			}
			util_alloc_fail(0, 0);
			fw_free(w);
		}
		assert_true(failed > 5);
	}
}

/* What fails behind the first piece of an aggregation leaves that, which is closed. */
static void
test_closed_within(void **state)
{
	for (int lines = 0; lines < 2; lines++) {
		for (unsigned n = 2; n < 5; n++) {
			struct fw *w = long_world(lines);
			w->fail_write = n;
			fw_open(w);
			struct err *e = fw_try_run(w);
			assert_int_equal(e->code, ERR_OS);
			err_free(e);
			size_t len = w->len;
			assert_false(is_closed(w->out));
			assert_null(fmt_close(w->f));
			assert_true(is_closed(w->out));
			assert_int_equal(w->out[w->len - 1], '\n');
			/* no more than what closes it */
			assert_in_range(w->len - len, 4, 16);
			fw_free(w);
		}
	}
}

/* An action fails in the consumer while its row is open. */
static struct err *
failing_action(void *ctx, const struct consume_event *e,
	       const struct abi_action *a, const char *text, const char *value)
{
	struct fw *w = ctx;

	return fmt_error(w->f, e, ABI_FAULT_LIBRARY, "no");
}

static struct err *
take_text(void *ctx, const char *p, size_t n)
{
	struct fw *w = ctx;

	w->out = realloc(w->out, w->len + n + 1);
	memcpy(w->out + w->len, p, n);
	w->len += n;
	w->out[w->len] = '\0';
	return NULL;
}

#define LATE PSEUDO(1, 1001, "ERROR") "\"on-cpu\":0,\"epid\":1,\"probe\":{" \
	NAME "},\"fault\":1000,\"fault-name\":\"LIBRARY\",\"count\":1,\"msg\":\"no\"}"

static void
test_error_in_row(void **state)
{
	static const char *const wants[] = {
		DOC "\n" AT(1, 1001, "{\"exit\":0}") ",\n" LATE ",\n" LATE
		"\n]}}\n",
		AT(1, 1001, "{\"exit\":0}") "\n" LATE "\n" LATE "\n",
	};

	for (int lines = 0; lines < 2; lines++) {
		struct fw *w = new_json(lines);
		struct rm_clause *cl = rm_clause(w->m, 0);
		struct fmt_out out = { w, take_text, failing_action };
		rm_action(cl, ABI_ACT_SETOPT, NULL);
		rm_action(cl, ABI_ACT_SETOPT, NULL);
		rm_action(cl, ABI_ACT_EXIT, NULL);
		rm_field(cl, ABI_FIELD_INT, 4, true);
		fw_fire(w, cl);
		fw_open(w);
		fmt_free(w->f);
		assert_null(fmt_new(w->c, &w->m->meta, &w->opts, out, &w->f));
		fmt_set_clock(w->f, 77, 1000);
		fw_run(w);
		fw_end(w);
		fw_expect(w, wants[lines]);
		fw_free(w);
	}
}

/* The same, of several records: what is said stands behind the event of its own
 * record, once.  (What waits to be written is written before the action, so that
 * an event is there even if quiet would leave it out.) */
static struct err *
numbered_failure(void *ctx, const struct consume_event *e,
		 const struct abi_action *a, const char *text,
		 const char *value)
{
	struct fw *w = ctx;
	char said[32];

	snprintf(said, sizeof(said), "no %llu",
		 (unsigned long long)e->timestamp);
	return fmt_error(w->f, e, ABI_FAULT_LIBRARY, said);
}

#define SAID(t, wall, epid) PSEUDO(t, wall, "ERROR") "\"on-cpu\":0,\"epid\":" \
	#epid ",\"probe\":{" NAME "},\"fault\":1000,\"fault-name\":\"LIBRARY\"," \
	"\"count\":1,\"msg\":\"no " #t "\"}"
#define VALUE "{\"value\":0}"
#define BOTH(t, wall, epid, output, between) AT(t, wall, output) between \
	SAID(t, wall, epid)

static void
test_errors_in_rows(void **state)
{
	static const char *const wants[] = {
		DOC "\n" BOTH(1, 1001, 1, "", ",\n") ",\n"
		BOTH(2, 1002, 2, VALUE, ",\n") ",\n" AT(3, 1003, VALUE) ",\n"
		BOTH(4, 1004, 1, "", ",\n") ",\n"
		BOTH(5, 1005, 1, "", ",\n") ",\n"
		BOTH(6, 1006, 2, VALUE, ",\n") "\n]}}\n",
		BOTH(1, 1001, 1, "", "\n") "\n" BOTH(2, 1002, 2, VALUE, "\n")
		"\n" AT(3, 1003, VALUE) "\n" BOTH(4, 1004, 1, "", "\n") "\n"
		BOTH(5, 1005, 1, "", "\n") "\n"
		BOTH(6, 1006, 2, VALUE, "\n") "\n",
	};

	for (int lines = 0; lines < 2; lines++) {
		struct fw *w = new_json(lines);
		struct fmt_out out = { w, take_text, numbered_failure };
		struct rm_clause *c[3];
		uint32_t epids[3];
		for (int i = 0; i < 3; i++) {
			c[i] = rm_clause(w->m, 0);
			if (i < 2)
				rm_action(c[i], ABI_ACT_SETOPT, NULL);
			if (i > 0) {
				rm_action(c[i], ABI_ACT_DIFEXPR, NULL);
				rm_field(c[i], ABI_FIELD_INT, 4, true);
			}
			epids[i] = rm_epid(w->m, w->probe, c[i]);
		}
		static const int order[] = { 0, 1, 2, 0, 0, 1 };
		for (size_t i = 0; i < BASE_NELEMS(order); i++)
			rm_record(w->m, 0, i + 1, epids[order[i]]);
		w->opts.v[OPT_QUIET] = 1;
		fw_open(w);
		fmt_free(w->f);
		assert_null(fmt_new(w->c, &w->m->meta, &w->opts, out, &w->f));
		fmt_set_clock(w->f, 77, 1000);
		fw_run(w);
		fw_end(w);
		fw_expect(w, wants[lines]);
		fw_free(w);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_document),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_print_deep),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_aggregations),
		cmocka_unit_test(test_errors_and_drops),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_closed_within),
		cmocka_unit_test(test_error_in_row),
		cmocka_unit_test(test_errors_in_rows),
	};

	return cmocka_run_group_tests_name("fmt-json", tests, NULL, NULL);
}
