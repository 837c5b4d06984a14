/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables in the kernel's hashes: a function that stores for each, and one
 * that loads for each that other CPUs may be storing, that is for global
 * strings and associative arrays.  (What belongs to a thread is loaded where it
 * stands.)  Numbers with short keys are first looked for in front, where a key
 * keeps its place (front.c); what follows is of all others.
 *
 * The kernel replaces an element as a whole: a new one is filled, then linked,
 * then the old one is unlinked, so what a look-up finds is complete.  But the
 * memory of the old one is used again at once, for this key or another, while
 * somebody may still be copying from it.  (Until Linux 6.0 a grace period
 * passed first, for hashes that are not preallocated.)  So a copy must be
 * checked.  Each store bears a stamp that no other has, behind the value, and a
 * load
 *
 *	1. looks the key up and notes the element and its stamp;
 *	2. looks it up again: the same element?
 *	3. copies the value;
 *	4. looks it up a third time: the same element, with the stamp noted?
 *
 * and begins anew when an answer is no, in a function of its own: the verifier follows
 * each attempt that stands in a loop, but a global function once.  (So it follows each
 * call that stands in a loop, and instead of one long loop there are two short ones,
 * one of which calls the other's function.)  Why that is enough: at 2 the element was
 * complete and bore this key.  Had its memory been given to another store between 2
 * and 4, that store came after 2 and so its stamp was not there to be noted at 1.  So
 * nothing was written to it while it was copied.  Nothing is assumed of the order in
 * which the kernel fills an element.
 *
 * Those are the ways of loads; of what is generated:
 *
 *	5. a value with its stamp fits the slot's area for values, and the function
 *	   of a variable is made once;
 *	6. only what others may replace has a stamp, and what is added to in place
 *	   is a number of 4 or 8 bytes that nobody replaces.
 *
 * Nobody ever waits: a store that was interrupted has either linked its element
 * or not, and there is a complete one in any case.  A load fails only when a
 * store comes between all its attempts; that is counted as a dynamic variable
 * drop, and the variable reads as absent.
 *
 * An absent key is looked up LOOKS times, since a walk along a chain may miss an
 * element that is being replaced: the new one is put in front.  Two looks are not
 * enough: where three keys share a chain and another CPU replaces them without end,
 * one in 150 million reads misses twice (and one in 4,000 once).  With four looks an
 * absent key takes 86 ns, as one that is there does.
 *
 * In place, as a thread's own numbers are, numbers of arrays cannot be stored:
 * between look-up and store the element may have become another key's.  But an
 * array that is only ever added to (addgaa) has elements that nobody replaces or
 * deletes, so there the kernel's atomic addition does it: nothing is lost, and it
 * takes 30 ns where a load and a store, which makes a new element, take 220.
 *
 * Why not so where elements end, in c[k]--, or c[k] = 0 beside c[k]++?  (In front it is
 * so: there a key's place stays its own.)  That c[k] = 0 undoes an addition that comes at the same time would be right.  But the
 * kernel gives the memory of what is deleted to the next key at once, while
 * another CPU that has looked the old one up still adds: the count of the wrong
 * key would change.  To look once more behind the addition, and take it back,
 * does not help, since the other key's value may have been copied in between.  To
 * keep elements that are zero would do; but then tables of whatever comes and
 * goes would fill up, and drop what is new.
 */
#include <assert.h>

#include "abi/slot.h"
#include "ebpf/var_priv.h"

/* Attempts are 1 + ROUNDS * TURNS. */
enum { ROUNDS = 4, TURNS = 8, LOOKS = 4 };
/* r7 is the slot; what else a function was given, or works with. */
enum { R_ID = 6, R_VALUE = 8,			/* stores */
       R_TO = 6, R_LEFT = 8, R_STAMP = 9 };	/* loads */
/* In the frame: the slot's number, an element, the key of a string. */
enum { INDEX = -4, ELEM = -16, ID = -24 };

static bool
is_global_string(const struct plan_var *v)
{
	return v->scope == DIF_VS_GLOBAL && v->kind == DIF_VK_SCALAR;
}

/* --- Calls ------------------------------------------------------------------ */

static uint32_t
func_sym(struct ebpf *g, const struct plan_var *v, enum ebpf_hash_op op)
{
	static const char *const names[] = {
		[HASH_GET] = "get", [HASH_AGAIN] = "again", [HASH_TURNS] = "turns",
		[HASH_PUT] = "put", [HASH_ADD4] = "add4", [HASH_ADD8] = "add8",
		[HASH_FRONT4] = "front4", [HASH_FRONT8] = "front8",
	};
	struct ebpf_hash_func new = { v, op };
	const char *name = ebpf_name(g, "dt_%s_%u%u_%x", names[op], v->scope,
				     v->kind, v->id);
	size_t i = 0;

	while (i < g->hash_funcs.n && (g->hash_funcs.v[i].var != v ||
				       g->hash_funcs.v[i].op != op))
		i++;
	if (i == g->hash_funcs.n)
		EBPF_PUSH(g, &g->hash_funcs, new);
	return ebpf_sym(g, name, SYM_GFUNC);
}

void
ebpf_hash_load(struct ebpf_out *o, const struct plan_var *v, uint32_t off)
{
	ebpf_slot_arg(o);
	ebpf_imm(o, BPF_REG_2, v->id);
	ebpf_imm(o, BPF_REG_3, off);
	ebpf_call(o, func_sym(o->g, ebpf_var_layout(o->g, v), HASH_GET));
}

static void
call_with_number(struct ebpf_out *o, const struct plan_var *v,
		 enum ebpf_hash_op op)
{
	ebpf_slot_arg(o);
	ebpf_imm(o, BPF_REG_2, v->id);
	ebpf_call(o, func_sym(o->g, ebpf_var_layout(o->g, v), op));
}

void
ebpf_hash_store(struct ebpf_out *o, const struct plan_var *v)
{
	call_with_number(o, v, HASH_PUT);
}

void
ebpf_hash_add(struct ebpf_out *o, const struct plan_var *v)
{
	assert(!plan_var_is_ref(v) && !o->g->is_stored[v->id]);		/* 6 */
	call_with_number(o, v, v->type.size == 8 ? HASH_ADD8 : HASH_ADD4);
}

void
ebpf_hash_add_front(struct ebpf_out *o, const struct plan_var *v)
{
	assert(ebpf_front_has(o->g, ebpf_var_layout(o->g, v)));
	call_with_number(o, v, v->type.size == 8 ? HASH_FRONT8 : HASH_FRONT4);
}

/* --- What the functions share ----------------------------------------------- */

/* r7 <- the slot whose number is in r1; leaves when there is none. */
static void
find_slot(struct ebpf_out *o, int out)
{
	ebpf_store(o, 4, BPF_REG_10, INDEX, BPF_REG_1);
	ebpf_slots(o, BPF_REG_1);
	ebpf_lea(o, BPF_REG_2, BPF_REG_10, INDEX);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_mov(o, R_SLOT, BPF_REG_0);
}

/* The caller has built the key, but for a string, whose number is in reg. */
static void
string_key(struct ebpf_out *o, const struct plan_var *v, uint8_t reg)
{
	if (is_global_string(v))
		ebpf_store(o, 8, R_SLOT, (int32_t)o->g->lay.varkey, reg);
}

static void
count_drop(struct ebpf_out *o)
{
	ebpf_helper(o, BPF_FUNC_get_smp_processor_id);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_imm(o, BPF_REG_1, ABI_DROP_DYNAMIC);
	ebpf_rt(o, "rt_drop", 2);
}

/* --- Loads ------------------------------------------------------------------ */

/* r0 <- the element found first, again. */
static void
same_elem(struct ebpf_out *o, const struct plan_var *v, int no)
{
	ebpf_var_lookup(o, v);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, no);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, ELEM);
	ebpf_jmp_reg(o, BPF_JNE, BPF_REG_0, BPF_REG_1, no);
}

/* [R_TO] of the slot <- the value of the element in r0. */
static void
copy_out(struct ebpf_out *o, const struct plan_var *v)
{
	ebpf_mov(o, BPF_REG_1, R_SLOT);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, R_TO);
	if (plan_var_is_ref(v)) {
		ebpf_mov(o, BPF_REG_3, BPF_REG_0);
		ebpf_var_copy(o, v);
	} else {
		ebpf_load(o, 8, BPF_REG_2, BPF_REG_0, 0);
		ebpf_store(o, 8, BPF_REG_1, 0, BPF_REG_2);
	}
}

/* One attempt; to no when something came between. */
static void
attempt(struct ebpf_out *o, const struct plan_var *v, int absent, int no)
{
	int32_t stamp = (int32_t)ebpf_var_stamp(o->g, v);
	int found = ebpf_label(o);

	assert(stamp > 0 && stamp % 8 == 0);				/* 6 */
	for (int i = 0; i < LOOKS; i++) {
		ebpf_var_lookup(o, v);
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, found);
	}
	ebpf_jmp(o, absent);
	ebpf_place(o, found);
	ebpf_store(o, 8, BPF_REG_10, ELEM, BPF_REG_0);
	ebpf_load(o, 8, R_STAMP, BPF_REG_0, stamp);
	same_elem(o, v, no);
	copy_out(o, v);
	same_elem(o, v, no);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_0, stamp);
	ebpf_jmp_reg(o, BPF_JNE, BPF_REG_1, R_STAMP, no);
}

/* [R_TO] of the slot <- an absent value. */
static void
clear(struct ebpf_out *o, const struct plan_var *v)
{
	uint32_t size = !plan_var_is_ref(v) ? 8 :
			plan_var_is_string(v) ? 1 : v->type.size;

	ebpf_mov(o, BPF_REG_1, R_SLOT);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, R_TO);
	if (size <= 8) {
		ebpf_store_imm(o, size == 1 ? 1 : 8, BPF_REG_1, 0, 0);
		return;
	}
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_data(o, BPF_REG_3, SEC_STRS, o->g->zeros);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
}

/* Call op n times, to out when an attempt succeeds. */
static void
repeat(struct ebpf_out *o, const struct plan_var *v, enum ebpf_hash_op op, uint32_t n,
       int out)
{
	uint32_t sym = func_sym(o->g, v, op);
	int again = ebpf_label(o);

	ebpf_imm(o, R_LEFT, n);
	ebpf_place(o, again);
	ebpf_load(o, 4, BPF_REG_1, BPF_REG_10, INDEX);
	ebpf_load(o, 8, BPF_REG_2, BPF_REG_10, ID);
	ebpf_mov(o, BPF_REG_3, R_TO);
	ebpf_call(o, sym);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_alu_imm(o, BPF_SUB, R_LEFT, 1);
	ebpf_jmp_imm(o, BPF_JNE, R_LEFT, 0, again);
}

/* u64 dt_turns_V(as dt_again_V): 1 if a store has come between in each. */
static void
turns(struct ebpf_out *o, const struct plan_var *v, enum ebpf_hash_op op)
{
	int out = ebpf_label(o);

	assert(op == HASH_TURNS);
	ebpf_store(o, 4, BPF_REG_10, INDEX, BPF_REG_1);
	ebpf_store(o, 8, BPF_REG_10, ID, BPF_REG_2);
	ebpf_mov(o, R_TO, BPF_REG_3);
	repeat(o, v, HASH_AGAIN, TURNS, out);
	ebpf_return(o, 1);
	ebpf_place(o, out);
	ebpf_return(o, 0);
}

static void
front_get(struct ebpf_out *o, const struct plan_var *v, int absent, int out)
{
	int full = ebpf_label(o);

	ebpf_front_find(o, v, -1, absent, full);
	ebpf_load(o, 8, BPF_REG_2, BPF_REG_0, 0);
	ebpf_mov(o, BPF_REG_1, R_SLOT);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, R_TO);
	ebpf_store(o, 8, BPF_REG_1, 0, BPF_REG_2);
	ebpf_jmp(o, out);
	ebpf_place(o, full);
}

/* u64 dt_get_V(slot's number, string's number, where in the slot): 0.
 * u64 dt_again_V(the same): 1 if a store has come between. */
static void
getter(struct ebpf_out *o, const struct plan_var *v, enum ebpf_hash_op op)
{
	uint32_t size = (uint32_t)base_align(BASE_MAX(v->type.size, 8u), 8);
	uint32_t end = o->g->lay.temps + o->g->temps_max;
	int no = ebpf_label(o), absent = ebpf_label(o), out = ebpf_label(o);

	ebpf_mov(o, R_TO, BPF_REG_3);
	ebpf_store(o, 8, BPF_REG_10, ID, BPF_REG_2);
	find_slot(o, out);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, ID);
	string_key(o, v, BPF_REG_1);
	ebpf_jmp_imm(o, BPF_JGT, R_TO, (int32_t)(end - size), out);
	if (op == HASH_GET && ebpf_front_has(o->g, v))
		front_get(o, v, absent, out);
	attempt(o, v, absent, no);
	ebpf_jmp(o, out);
	ebpf_place(o, no);
	if (op == HASH_AGAIN) {
		ebpf_return(o, 1);
	} else {
		repeat(o, v, HASH_TURNS, ROUNDS, out);
		count_drop(o);
	}
	ebpf_place(o, absent);
	clear(o, v);
	ebpf_place(o, out);
	ebpf_return(o, 0);
}

/* --- Stores ----------------------------------------------------------------- */

/* Slots are of one CPU and nest, so their numbers tell stamps apart. */
static void
new_stamp(struct ebpf_out *o, uint32_t off)
{
	int32_t serial = offsetof(struct abi_slot, serial);

	assert(off % 8 == 0 && off + 8 <= o->g->lay.aggkey);		/* 5 */
	ebpf_load(o, 4, BPF_REG_1, R_SLOT, serial);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, 1);
	ebpf_store(o, 4, R_SLOT, serial, BPF_REG_1);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_1, 32);
	ebpf_load(o, 4, BPF_REG_2, BPF_REG_10, INDEX);
	ebpf_alu(o, BPF_OR, BPF_REG_1, BPF_REG_2);
	ebpf_store(o, 8, R_SLOT, (int32_t)off, BPF_REG_1);
}

/* Insert or, with BPF_ANY, replace the element, and go to done when that
 * succeeds. */
static void
update(struct ebpf_out *o, const struct plan_var *v, int32_t how, int done)
{
	ebpf_var_map(o, v, BPF_REG_1);
	ebpf_lea(o, BPF_REG_2, R_SLOT, (int32_t)o->g->lay.varkey);
	ebpf_lea(o, BPF_REG_3, R_SLOT, (int32_t)o->g->lay.value);
	ebpf_imm(o, BPF_REG_4, how);
	ebpf_helper(o, BPF_FUNC_map_update_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, done);
}

static void
store(struct ebpf_out *o, const struct plan_var *v, int done)
{
	int full = ebpf_label(o);
	uint32_t stamp = ebpf_var_stamp(o->g, v);

	if (!plan_var_is_ref(v))
		ebpf_store(o, 8, R_SLOT, (int32_t)o->g->lay.value, R_VALUE);
	if (stamp)
		new_stamp(o, o->g->lay.value + stamp);
	if (v->scope == DIF_VS_THREAD)
		ebpf_thread_number(o, v, full);
	update(o, v, BPF_ANY, done);
	if (v->scope == DIF_VS_THREAD) {
		ebpf_sweep(o, v, full);
		update(o, v, BPF_ANY, done);
	}
	ebpf_place(o, full);
	count_drop(o);
}

static void
front_put(struct ebpf_out *o, const struct plan_var *v, int done)
{
	int full = ebpf_label(o);

	ebpf_front_find(o, v, R_VALUE, done, full);
	ebpf_store(o, 8, BPF_REG_0, 0, R_VALUE);
	ebpf_jmp(o, done);
	ebpf_place(o, full);
}

/* u64 dt_put_V(slot's number, string's number, value): a number, or whether
 * there is a value in the slot; 0 ends the variable's existence. */
static void
putter(struct ebpf_out *o, const struct plan_var *v, enum ebpf_hash_op op)
{
	int gone = ebpf_label(o), done = ebpf_label(o);

	ebpf_mov(o, R_ID, BPF_REG_2);
	ebpf_mov(o, R_VALUE, BPF_REG_3);
	find_slot(o, done);
	string_key(o, v, R_ID);
	if (ebpf_front_has(o->g, v))
		front_put(o, v, done);
	ebpf_jmp_imm(o, BPF_JEQ, R_VALUE, 0, gone);
	store(o, v, done);
	ebpf_jmp(o, done);
	ebpf_place(o, gone);
	ebpf_var_delete(o, v);
	ebpf_place(o, done);
	ebpf_return(o, 0);
}

/* Add R_VALUE, which becomes what was there, to what a register points at. */
static void
add_at(struct ebpf_out *o, uint8_t at, int size)
{
	ebpf_emit(o, (uint8_t)(BPF_STX | BPF_ATOMIC | size), at,
		  R_VALUE, 0, BPF_ADD | BPF_FETCH);
}

static void
return_value(struct ebpf_out *o)
{
	ebpf_mov(o, BPF_REG_0, R_VALUE);
	ebpf_emit(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* To the element, if there is one. */
static void
add_in_place(struct ebpf_out *o, const struct plan_var *v, int size, int absent)
{
	ebpf_var_lookup(o, v);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, absent);
	add_at(o, BPF_REG_0, size);
	return_value(o);
}

static void
front_add(struct ebpf_out *o, const struct plan_var *v, int size, int done)
{
	int full = ebpf_label(o);

	ebpf_front_find(o, v, R_VALUE, done, full);
	add_at(o, BPF_REG_0, size);
	return_value(o);
	ebpf_place(o, full);
}

/* u64 dt_frontN_V(slot's number, unused, value): 1 if its place in front has it now, with
 * what was there in the slot; 0 if it has none. */
static void
front_adder(struct ebpf_out *o, const struct plan_var *v, enum ebpf_hash_op op)
{
	int size = op == HASH_FRONT4 ? BPF_W : BPF_DW;
	int full = ebpf_label(o), nothing = ebpf_label(o);

	ebpf_mov(o, R_VALUE, BPF_REG_3);
	find_slot(o, full);
	ebpf_front_find(o, v, R_VALUE, nothing, full);
	add_at(o, BPF_REG_0, size);
	ebpf_place(o, nothing);
	ebpf_store(o, 8, R_SLOT, (int32_t)o->g->lay.value, R_VALUE);
	ebpf_return(o, 1);
	ebpf_place(o, full);
	ebpf_return(o, 0);
}

/* u64 dt_addN_V(slot's number, unused, value): what was there */
static void
adder(struct ebpf_out *o, const struct plan_var *v, enum ebpf_hash_op op)
{
	int size = op == HASH_ADD4 ? BPF_W : BPF_DW;
	int absent = ebpf_label(o), full = ebpf_label(o), done = ebpf_label(o);

	ebpf_mov(o, R_VALUE, BPF_REG_3);
	find_slot(o, done);
	if (ebpf_front_has(o->g, v))
		front_add(o, v, size, done);
	add_in_place(o, v, size, absent);
	ebpf_place(o, absent);
	ebpf_jmp_imm(o, BPF_JEQ, R_VALUE, 0, done);
	ebpf_store(o, 8, R_SLOT, (int32_t)o->g->lay.value, R_VALUE);
	new_stamp(o, o->g->lay.value + ebpf_var_stamp(o->g, v));
	update(o, v, BPF_NOEXIST, done);
	/* There is no room, or another CPU has been first. */
	add_in_place(o, v, size, full);
	ebpf_place(o, full);
	count_drop(o);
	ebpf_place(o, done);
	ebpf_return(o, 0);
}

void
ebpf_hash_funcs(struct ebpf *g)
{
	static void (*const makers[])(struct ebpf_out *,
				      const struct plan_var *,
				      enum ebpf_hash_op) = {
		[HASH_GET] = getter, [HASH_AGAIN] = getter, [HASH_TURNS] = turns,
		[HASH_PUT] = putter, [HASH_ADD4] = adder, [HASH_ADD8] = adder,
		[HASH_FRONT4] = front_adder, [HASH_FRONT8] = front_adder,
	};

	for (size_t i = 0; i < g->hash_funcs.n && !g->err; i++) {
		struct ebpf_hash_func f = g->hash_funcs.v[i];
		uint32_t sym = func_sym(g, f.var, f.op);
		struct ebpf_out o;
		if (g->err)
			return;
		ebpf_func_begin(&o, g, SEC_TEXT, g->syms.v[sym].name, 3);
		g->syms.v[sym].kind = SYM_GFUNC;
		assert(f.op < BASE_NELEMS(makers));
		makers[f.op](&o, f.var, f.op);
		ebpf_func_end(&o, sym);
	}
}
