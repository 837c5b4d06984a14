/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF with a type of every kind, from which tests of its readers begin.
 */
#include "btfwriter.h"

void
btfw_sample(struct btfw *w)
{
	uint32_t i = btfw_int(w, "int", 4, BTF_INT_SIGNED);
	uint32_t c = btfw_int(w, "char", 1, BTF_INT_SIGNED);
	uint32_t ul = btfw_int(w, "long unsigned int", 8, 0);
	uint32_t ull = btfw_int(w, "long long unsigned int", 8, 0);
	uint32_t b = btfw_int(w, "_Bool", 1, BTF_INT_BOOL);
	uint32_t u64 = btfw_record(w, BTF_KIND_TYPEDEF, false, "u64", ull);
	uint32_t cc = btfw_record(w, BTF_KIND_CONST, false, NULL, c);
	uint32_t pcc = btfw_record(w, BTF_KIND_PTR, false, NULL, cc);
	uint32_t tag = btfw_record(w, BTF_KIND_TYPE_TAG, false, "user", c);
	uint32_t puc = btfw_record(w, BTF_KIND_PTR, false, NULL, tag);
	uint32_t a16 = btfw_array(w, c, 16);
	uint32_t dbl = btfw_record(w, BTF_KIND_FLOAT, false, "double", 8);
	uint32_t fwd = btfw_record(w, BTF_KIND_FWD, false, "opaque", 0);
	uint32_t pfwd = btfw_record(w, BTF_KIND_PTR, false, NULL, fwd);
	uint32_t vol = btfw_record(w, BTF_KIND_VOLATILE, false, NULL, i);
	uint32_t res = btfw_record(w, BTF_KIND_RESTRICT, false, NULL, pcc);

	uint32_t e = btfw_record(w, BTF_KIND_ENUM, true, "color", 4);
	btfw_enum(w, "RED", -1);
	btfw_enum(w, "BLUE", 7);
	uint32_t e64 = btfw_record(w, BTF_KIND_ENUM64, false, "wide", 8);
	btfw_enum64(w, "WIDE", 0x123456789abcLL);

	uint32_t proto = btfw_record(w, BTF_KIND_FUNC_PROTO, false, NULL, i);
	btfw_param(w, "fmt", pcc);
	btfw_param(w, NULL, 0);
	btfw_record(w, BTF_KIND_FUNC, false, "printk", proto);
	uint32_t pfn = btfw_record(w, BTF_KIND_PTR, false, NULL, proto);

	uint32_t un = btfw_record(w, BTF_KIND_UNION, false, NULL, 8);
	btfw_member(w, "word", ul, 0, 0);
	btfw_member(w, "half", i, 0, 0);

	uint32_t all = w->next_id;
	btfw_record(w, BTF_KIND_STRUCT, true, "all", 128);
	btfw_member(w, "comm", a16, 0, 0);
	btfw_member(w, "pid", i, 128, 0);
	btfw_member(w, "flag", b, 160, 0);
	btfw_member(w, "low", ull, 192, 3);
	btfw_member(w, "high", u64, 195, 61);
	btfw_member(w, "name", pcc, 256, 0);
	btfw_member(w, "ubuf", puc, 320, 0);
	btfw_member(w, "opaque", pfwd, 384, 0);
	btfw_member(w, "parent", all + 1, 448, 0);
	btfw_member(w, "color", e, 512, 0);
	btfw_member(w, "wide", e64, 576, 0);
	btfw_member(w, "fn", pfn, 640, 0);
	btfw_member(w, NULL, un, 704, 0);
	btfw_member(w, "d", dbl, 768, 0);
	btfw_member(w, "v", vol, 832, 0);
	btfw_member(w, "r", res, 896, 0);
	btfw_record(w, BTF_KIND_PTR, false, NULL, all);

	uint32_t var = btfw_record(w, BTF_KIND_VAR, false, "jiffies", ul);
	btfw_raw(w, &(struct btf_var){ 1 }, sizeof(struct btf_var));
	struct btf_var_secinfo sec = { .type = var, .size = 8 };
	btfw_record(w, BTF_KIND_DATASEC, false, ".data", 8);
	((uint32_t *)(void *)(w->types.p + w->last))[1]++;
	btfw_raw(w, &sec, sizeof(sec));
	btfw_record(w, BTF_KIND_VAR, false, "other", ul);
	btfw_raw(w, &(struct btf_var){ 1 }, sizeof(struct btf_var));
	struct btf_var_secinfo percpu[2] = { { .type = var, .offset = 40 } };
	percpu[1].type = btfw_record(w, BTF_KIND_VAR, false, "runqueues", ul);
	percpu[1].offset = 64;
	btfw_raw(w, &(struct btf_var){ 1 }, sizeof(struct btf_var));
	btfw_record(w, BTF_KIND_DATASEC, false, ".data..percpu", 128);
	((uint32_t *)(void *)(w->types.p + w->last))[1] += 2;
	btfw_raw(w, percpu, sizeof(percpu));
	btfw_record(w, BTF_KIND_DECL_TAG, false, "kfunc", all);
	btfw_raw(w, &(struct btf_decl_tag){ -1 }, sizeof(struct btf_decl_tag));
}
