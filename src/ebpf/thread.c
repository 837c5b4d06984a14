/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The variables of threads that have ended, as far as they are not kept with the
 * task (self.c): arrays, and scalars that find no room there.
 *
 * A thread is known by the address of its task, and its interrupts by that
 * plus 1 (FS_THREAD; bpfrt/runs.h).  The kernel frees a task some time after its last
 * firing and before another can have the address; it says so at the
 * tracepoint sched_process_free.  A program there deletes the thread's scalars,
 * one element of each hash; and once more at task_newtask, before the next
 * thread of that address begins, because the kernel does not always say so.
 * (Deleting at sched_process_exit would be too early: the thread goes on, and is
 * switched from.)
 *
 * The elements of its arrays cannot be found by the thread.  Their keys begin
 *
 *	thread, number, tuple ...
 *
 * where the number is the thread's own and is forgotten when it ends.  So nobody
 * sees them any more.
 *
 * When a variable has no room for a new element, it is swept: what belongs to
 * the dead goes (bpfrt/thread.h).  That takes care of arrays, and of scalars
 * when threads end faster than the kernel frees their tasks: it may leave ten
 * thousand for later.
 */
#include "base/base.h"
#include "ebpf/var_priv.h"

enum { R_TASK = 6, R_MAP = 6, R_KEY = 7 };
enum { KEY = -16 };		/* {thread, number of the variable} */
enum { MAX_SCALARS = 48 };	/* in a program */

static bool
is_array(const struct plan_var *v)
{
	return v->kind == DIF_VK_ARRAY;
}

void
ebpf_thread_number(struct ebpf_out *o, const struct plan_var *v, int none)
{
	int32_t at = (int32_t)o->g->lay.varkey;

	ebpf_load(o, 8, BPF_REG_1, R_SLOT, at);
	ebpf_rt(o, "rt_thread_new", 1);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, none);
	if (is_array(v))
		ebpf_store(o, 8, R_SLOT, at + 8, BPF_REG_0);
}

/* --- Sweeping --------------------------------------------------------------- */

void
ebpf_sweep(struct ebpf_out *o, const struct plan_var *v, int no)
{
	uint64_t index = (uint64_t)(v - o->g->plan->vars) + 1;

	ebpf_imm(o, BPF_REG_1, index);
	ebpf_rt(o, "rt_sweep_begin", 1);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, no);
	ebpf_var_map(o, v, BPF_REG_1);
	ebpf_func_addr(o, BPF_REG_2, o->g->sweep[is_array(v)]);
	ebpf_imm(o, BPF_REG_3, 0);
	ebpf_imm(o, BPF_REG_4, 0);
	ebpf_helper(o, BPF_FUNC_for_each_map_elem);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_imm(o, BPF_REG_1, index);
	ebpf_rt(o, "rt_sweep_end", 2);
}

/* long dt_sweep(map, key, value, ctx): delete the element of a dead thread. */
static void
sweep_func(struct ebpf *g, bool array)
{
	struct ebpf_out out, *o = &out;
	uint32_t sym = ebpf_func_begin(o, g, SEC_TEXT, array ? "dt_sweep_array"
							  : "dt_sweep", 4);
	int alive = ebpf_label(o);

	g->sweep[array] = sym;
	ebpf_mov(o, R_MAP, BPF_REG_1);
	ebpf_mov(o, R_KEY, BPF_REG_2);
	ebpf_load(o, 8, BPF_REG_1, R_KEY, 0);
	if (array)
		ebpf_load(o, 8, BPF_REG_2, R_KEY, 8);
	else
		ebpf_imm(o, BPF_REG_2, 0);
	ebpf_rt(o, "rt_thread_dead", 2);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, alive);
	ebpf_mov(o, BPF_REG_1, R_MAP);
	ebpf_mov(o, BPF_REG_2, R_KEY);
	ebpf_helper(o, BPF_FUNC_map_delete_elem);
	ebpf_place(o, alive);
	ebpf_return(o, 0);
	ebpf_func_end(o, sym);
}

void
ebpf_thread_begin(struct ebpf *g)
{
	bool done[2] = { false, false };

	for (uint32_t i = 0; i < g->plan->nvars; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		if (v->scope != DIF_VS_THREAD || done[is_array(v)] ||
		    ebpf_self_has(g, v))
			continue;
		sweep_func(g, is_array(v));
		done[is_array(v)] = true;
	}
}

/* --- Ends ------------------------------------------------------------------- */

/* Delete what belongs to the thread whose key is at [KEY]. */
static void
forget(struct ebpf_out *o, const struct plan_var **vars, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		ebpf_store_imm(o, 8, BPF_REG_10, KEY + 8,
			(int32_t)ebpf_table_of(o->g, vars[i])->number);
		ebpf_var_map(o, vars[i], BPF_REG_1);
		ebpf_lea(o, BPF_REG_2, BPF_REG_10, KEY);
		ebpf_helper(o, BPF_FUNC_map_delete_elem);
	}
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, KEY);
	ebpf_rt(o, "rt_thread_forget", 1);
}

/* int dt_free_I(struct { u64 task; } *) */
static void
free_prog(struct ebpf *g, const struct plan_var **vars, uint32_t n)
{
	struct ebpf_out out, *o = &out;
	const char *name = ebpf_name(g, "dt_free_%zu", g->frees.n);

	EBPF_PUSH(g, &g->frees, name);
	uint32_t sym = ebpf_prog_begin(o, g, ABI_ATTACH_RAWTP, name);
	ebpf_load(o, 8, R_TASK, BPF_REG_1, 0);
	ebpf_store(o, 8, BPF_REG_10, KEY, R_TASK);
	forget(o, vars, n);
	if (BASE_ANY(i, g->in->npoints,
		     abi_point_runs(g->in->points[i].point) != ABI_RUNS_TASK)) {
		ebpf_alu_imm(o, BPF_OR, R_TASK, 1);
		ebpf_store(o, 8, BPF_REG_10, KEY, R_TASK);
		forget(o, vars, n);
	}
	ebpf_return(o, 0);
	ebpf_func_end(o, sym);
}

void
ebpf_thread_end(struct ebpf *g)
{
	const struct plan_var *vars[MAX_SCALARS];
	uint32_t n = 0;
	bool some = false;

	for (uint32_t i = 0; i < g->plan->nvars && !g->err; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		if (v->scope != DIF_VS_THREAD || !ebpf_var_used(g, v))
			continue;
		some = true;
		if (!is_array(v))
			vars[n++] = v;
		if (n == MAX_SCALARS) {
			free_prog(g, vars, n);
			n = 0;
		}
	}
	if (some && (n || !g->frees.n))
		free_prog(g, vars, n);
}
