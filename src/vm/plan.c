/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Running a clause: doc/spec/dif.md sections 10 and 11.
 */
#include "vm/vm_priv.h"

struct run {
	struct vm *vm;
	uint32_t epid;
	uint8_t *record;	/* NULL: there is none */
	bool recorded;		/* a RECORD node has run */
	uint32_t used;		/* bytes of the record, when it is a log */
};

static void
put_int(void *p, uint64_t v, uint32_t size)
{
	uint8_t b8 = v;
	uint16_t b16 = v;
	uint32_t b32 = v;

	switch (size) {
	case 1: memcpy(p, &b8, 1); break;
	case 2: memcpy(p, &b16, 2); break;
	case 4: memcpy(p, &b32, 4); break;
	case 8: memcpy(p, &v, 8); break;
	}
}

static uint64_t
builtin(struct vm *vm, uint32_t id)
{
	struct vm_fault saved = vm->fault;
	uint64_t v = 0;

	if (!vm_bvar(vm, id, 0, &v))
		vm->fault = saved;
	return v;
}

/* Frames of a stack, zero behind the last. */
static void
put_stack(struct vm *vm, bool user, uint8_t *p, uint32_t size)
{
	uint64_t pid = builtin(vm, DIF_VAR_PID);

	memset(p, 0, size);
	if (user && size >= 8) {
		memcpy(p, &pid, 8);
		p += 8;
		size -= 8;
	}
	if (vm->cfg.env->stack)
		vm->cfg.env->stack(vm->cfg.ctx, user, (uint64_t *)(void *)p,
				   size / 8);
}

static bool
put_string(struct vm *vm, uint64_t addr, bool user, uint8_t *p, uint32_t size)
{
	uint32_t len;

	memset(p, 0, size);
	return !addr || size < 2 ||
	       vm_load_text(vm, addr, plan_string_room(size, vm->strsize) - 1,
			    user, (char *)p, &len);
}

static bool
needs_difo(const struct abi_field *f)
{
	return f->kind != ABI_FIELD_PROBE && f->kind != ABI_FIELD_STACK &&
	       f->kind != ABI_FIELD_USTACK;
}

/* The value v of a DIFO (0 when it has none) into the field at p. */
static bool
put_field(struct vm *vm, const struct abi_field *f, uint64_t v, bool user,
	  uint8_t *p)
{
	uint64_t pid;

	switch (f->kind) {
	case ABI_FIELD_STRING: return put_string(vm, v, user, p, f->size);
	case ABI_FIELD_BYTES: return vm_load(vm, v, p, f->size, user);
	case ABI_FIELD_PROBE:
		put_int(p, builtin(vm, DIF_VAR_ID), 4);
		return true;
	case ABI_FIELD_STACK: put_stack(vm, false, p, f->size); return true;
	case ABI_FIELD_USTACK: put_stack(vm, true, p, f->size); return true;
	case ABI_FIELD_USYM: case ABI_FIELD_UMOD: case ABI_FIELD_UADDR:
		pid = builtin(vm, DIF_VAR_PID);
		memcpy(p, &pid, 8);
		memcpy(p + 8, &v, 8);
		return true;
	default:
		put_int(p, v, f->size);
		return true;
	}
}

static bool
fill(struct vm *vm, const struct dif_difo *d, const struct abi_field *f,
     uint8_t *base)
{
	uint64_t v = 0;

	if (d && needs_difo(f) && !vm_run(vm, d, &v))
		return false;
	vm->fault.dif_offset = -1;
	return put_field(vm, f, v, d && d->rtype.flags & DIF_TF_BYUREF,
			 base + f->offset);
}

/* Where memory lies, and how much of it counts: of printm(), the two words that
 * difos[0] gives the address of. */
static bool
find_memory(struct vm *vm, const struct plan_node *node, uint64_t *addr,
	    uint64_t *length)
{
	uint64_t ref, pair[2];

	if (node->ndifos == 2)
		return vm_run(vm, node->difos[1], length) &&
		       vm_run(vm, node->difos[0], addr);
	if (!vm_run(vm, node->difos[0], &ref))
		return false;
	vm->fault.dif_offset = -1;
	if (!vm_load(vm, ref, pair, sizeof(pair), false))
		return false;
	*addr = pair[0];
	*length = pair[1];
	return true;
}

/* tracemem() with a length, and printm(): only so much of the memory is read as
 * the length says, unless that is not within the field. */
static bool
run_dump(struct run *r, const struct abi_field *f, const struct plan_node *node,
	 uint8_t *base)
{
	uint64_t addr, length, n = f[0].size;
	uint8_t *p = base + f[0].offset;

	if (!find_memory(r->vm, node, &addr, &length))
		return false;
	r->vm->fault.dif_offset = -1;
	if ((int64_t)length > 0 && length < n)
		n = length;
	memset(p, 0, f[0].size);
	put_int(base + f[1].offset, length, f[1].size);
	return vm_load(r->vm, addr, p, n,
		       node->difos[0]->rtype.flags & DIF_TF_BYUREF);
}

/* The next entry of the log. */
static uint8_t *
new_entry(struct run *r, const struct plan_clause *c,
	  const struct abi_action *a)
{
	struct abi_entry e = { (uint32_t)(a - c->desc.actions), 0 };
	uint8_t *p = r->record + r->used;

	e.size = abi_entry_size(&c->desc, e.action);
	if (e.size > c->desc.record_size - r->used) {
		vm_raise(r->vm, ABI_FAULT_LOOPREC, 0);
		r->vm->fault.dif_offset = -1;
		return NULL;
	}
	memset(p, 0, e.size);
	memcpy(p, &e, sizeof(e));
	return p;
}

static uint32_t
entry_size(const uint8_t *p)
{
	struct abi_entry e;

	memcpy(&e, p, sizeof(e));
	return e.size;
}

static bool
run_fields(struct run *r, const struct plan_clause *c,
	   const struct plan_node *node, uint8_t *base)
{
	const struct abi_field *fields = c->desc.fields + node->action->field;
	uint32_t scratch = r->vm->scratch_used;

	if (node->action->kind == ABI_ACT_TRACEMEM_DYNSIZE ||
	    node->action->kind == ABI_ACT_PRINTM)
		return run_dump(r, fields, node, base);
	for (uint32_t i = 0; i < node->action->nfields; i++) {
		if (!fill(r->vm, i < node->ndifos ? node->difos[i] : NULL,
			  &fields[i], base))
			return false;
		if (node->frees)
			r->vm->scratch_used = scratch;
	}
	/* What is behind the last field is run for its effect. */
	for (uint32_t i = node->action->nfields; i < node->ndifos; i++) {
		uint64_t v;

		if (node->difos[i] && !vm_run(r->vm, node->difos[i], &v))
			return false;
	}
	return true;
}

static bool
run_record(struct run *r, const struct plan_clause *c,
	   const struct plan_node *node)
{
	uint8_t *base = r->record;

	r->recorded = true;
	if (c->desc.is_log)
		base = new_entry(r, c, node->action);
	if (!base || !run_fields(r, c, node, base))
		return false;
	if (c->desc.is_log)
		r->used += entry_size(base);
	if (node->action->kind == ABI_ACT_EXIT)
		r->vm->exited = true;
	return true;
}

static bool
run_agg(struct vm *vm, const struct plan_node *node)
{
	const struct abi_agg_desc *agg = node->agg;
	uint32_t next = agg->nkeys;
	uint64_t value = 1, incr = 1;
	uint64_t *cells = NULL;
	uint32_t scratch = vm->scratch_used;

	memset(vm->agg_key, 0, agg->key_size);
	for (uint32_t i = 0; i < agg->nkeys; i++) {
		if (!fill(vm, node->difos[i], &agg->keys[i], vm->agg_key))
			return false;
		if (node->frees)
			vm->scratch_used = scratch;
	}
	if (node->has_value && !vm_run(vm, node->difos[next++], &value))
		return false;
	if (node->has_incr && !vm_run(vm, node->difos[next], &incr))
		return false;
	if (vm->cfg.env->cells)
		cells = vm->cfg.env->cells(vm->cfg.ctx, agg, vm->agg_key);
	if (cells)
		vm_agg_add(cells, agg->func, agg->arg, value, incr);
	else
		vm->drops[ABI_DROP_AGGREGATION]++;
	return true;
}

static bool
run_act(struct vm *vm, const struct plan_node *node)
{
	const struct vm_env *env = vm->cfg.env;
	uint64_t v = 0;

	if (node->ndifos && !vm_run(vm, node->difos[0], &v))
		return false;
	vm->fault.dif_offset = -1;
	return (env->act && env->act(vm->cfg.ctx, node->act, v)) ||
	       vm_raise(vm, ABI_FAULT_ILLOP, 0);
}

/* difos[0] of an IF or LOOP. */
static bool
condition(struct vm *vm, const struct plan_node *node, uint64_t *v)
{
	uint32_t scratch = vm->scratch_used;

	if (!vm_run(vm, node->difos[0], v))
		return false;
	if (node->frees)
		vm->scratch_used = scratch;
	return true;
}

/* Which arm of an IF runs next; NULL: an empty one. */
static bool
choose_arm(struct run *r, const struct plan_node *node,
	   const struct plan_node **ret)
{
	uint16_t branch;
	uint64_t v;

	if (!condition(r->vm, node, &v))
		return false;
	*ret = v ? node->then_ : node->else_;
	branch = v ? node->branch : node->else_branch;
	if (branch && r->record)
		r->record[sizeof(struct abi_record) + branch - 1] = 1;
	return true;
}

static bool
reserve(struct run *r, uint32_t epid, uint32_t size)
{
	struct vm *vm = r->vm;
	struct abi_record hdr = { .epid = epid, .size = size };

	if (!hdr.size)
		return true;
	if (vm->cfg.env->reserve)
		r->record = vm->cfg.env->reserve(vm->cfg.ctx, hdr.size);
	if (!r->record) {
		vm->drops[ABI_DROP_PRINCIPAL]++;
		return false;
	}
	hdr.timestamp = builtin(vm, DIF_VAR_TIMESTAMP);
	memset(r->record, 0, hdr.size);
	memcpy(r->record, &hdr, sizeof(hdr));
	return true;
}

void
vm_who(struct vm *vm, struct abi_who *ret)
{
	uint64_t name = builtin(vm, DIF_VAR_EXECNAME);

	*ret = (struct abi_who){ (int32_t)builtin(vm, DIF_VAR_PID),
				 (int32_t)builtin(vm, DIF_VAR_TID), "" };
	/* All of it, however short strings are. */
	for (size_t i = 0; name && i + 1 < sizeof(ret->comm); i++)
		if (!vm_load(vm, name + i, &ret->comm[i], 1, false) ||
		    !ret->comm[i])
			break;
}

/* Of a log only what has been written is sent. */
static void
set_size(struct run *r, const struct plan_clause *c)
{
	struct abi_record hdr;

	if (!r->record || !c->desc.is_log)
		return;
	memcpy(&hdr, r->record, sizeof(hdr));
	hdr.size = r->used;
	memcpy(r->record, &hdr, sizeof(hdr));
}

static void
finish(struct run *r, bool keep)
{
	const struct vm_env *env = r->vm->cfg.env;

	if (!r->record)
		return;
	if (keep && env->commit)
		env->commit(r->vm->cfg.ctx, r->record);
	else if (!keep && env->discard)
		env->discard(r->vm->cfg.ctx, r->record);
	r->record = NULL;
}

/* The record is done; tag: where it belongs. */
static void
send(struct run *r, const struct plan_clause *c, uint64_t tag)
{
	bool keep = true;

	set_size(r, c);
	if (tag && r->record) {
		keep = vm_spec_room(r->vm, tag, c->desc.record_size);
		memcpy(r->record + c->desc.spec, &tag, sizeof(tag));
	}
	if (r->record && c->desc.who)
		vm_who(r->vm, (struct abi_who *)(void *)(r->record +
							 c->desc.who));
	finish(r, keep);
}

/* Tell whoever reads the records how a speculation ended; without room for that
 * nobody learns of it. */
static void
send_end(struct run *r, uint64_t tag)
{
	struct run one = { .vm = r->vm };

	if (!reserve(&one, ABI_EPID_SPEC_END, sizeof(struct abi_spec_end)))
		return;
	memcpy(one.record + offsetof(struct abi_spec_end, tag), &tag,
	       sizeof(tag));
	finish(&one, true);
}

/* What comes after a node; QUIT: the clause is over, without a fault. */
enum flow {
	FLOW_NEXT, FLOW_FAULT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN,
	FLOW_QUIT,
};

static enum flow run_nodes(struct run *r, const struct plan_clause *c,
			   const struct plan_node *node, uint64_t *tag);

/* The arm inherits the speculation, and keeps its own to itself. */
static enum flow
run_if(struct run *r, const struct plan_clause *c,
       const struct plan_node *node, uint64_t tag)
{
	const struct plan_node *arm;

	return choose_arm(r, node, &arm) ? run_nodes(r, c, arm, &tag)
					 : FLOW_FAULT;
}

static enum flow
run_spec(struct run *r, const struct plan_node *node, uint64_t *tag)
{
	uint64_t id;

	if (!vm_run(r->vm, node->difos[0], &id))
		return FLOW_FAULT;
	if (node->act == ABI_ACT_SPECULATE) {
		*tag = vm_speculate(r->vm, (int32_t)id);
		return *tag == ABI_SPEC_NOWHERE ? FLOW_QUIT : FLOW_NEXT;
	}
	uint64_t ended = vm_spec_end(r->vm, (int32_t)id,
		node->act == ABI_ACT_DISCARD ? ABI_SPEC_END_DISCARD : 0);
	if (ended)
		send_end(r, ended);
	return FLOW_NEXT;
}

/* A record for these nodes alone.  Without room for it the clause ends. */
static enum flow
run_part(struct run *r, const struct plan_clause *c,
	 const struct plan_node *node, uint64_t *tag)
{
	if (!reserve(r, r->epid, c->desc.record_size))
		return FLOW_FAULT;
	r->record[sizeof(struct abi_record) + node->branch - 1] = 1;
	enum flow flow = run_nodes(r, c, node->then_, tag);
	if (flow != FLOW_FAULT && flow != FLOW_QUIT)
		send(r, c, *tag);
	return flow;
}

static enum flow
too_many(struct run *r, const struct plan_node *node)
{
	r->vm->fault.place = node->place;
	if (node->action_no)
		r->vm->fault.action = node->action_no;
	vm_raise(r->vm, ABI_FAULT_LOOP, 0);
	r->vm->fault.dif_offset = -1;
	return FLOW_FAULT;
}

/* Is there another turn?  NEXT, BREAK or FAULT. */
static enum flow
another_turn(struct run *r, const struct plan_node *node, uint32_t turns)
{
	uint64_t v = 1;

	if (node->action_no)
		r->vm->fault.action = node->action_no;
	r->vm->fault.place = node->place;
	if (node->ndifos && !(node->is_post && turns == 0) &&
	    !condition(r->vm, node, &v))
		return FLOW_FAULT;
	if (!v)
		return FLOW_BREAK;
	return turns == r->vm->cfg.prog->loopmax ? too_many(r, node)
						 : FLOW_NEXT;
}

static enum flow
run_loop(struct run *r, const struct plan_clause *c,
	 const struct plan_node *node, uint64_t tag)
{
	enum flow flow = FLOW_NEXT;

	for (uint32_t turns = 0; ; turns++) {
		uint64_t own = tag;
		flow = another_turn(r, node, turns);
		if (flow == FLOW_NEXT)
			flow = run_nodes(r, c, node->then_, &own);
		if (flow != FLOW_NEXT && flow != FLOW_CONTINUE)
			break;
		flow = run_nodes(r, c, node->else_, &own);
		if (flow == FLOW_NEXT && ++r->vm->turns > PLAN_TURNS_MAX)
			flow = too_many(r, node);
		if (flow != FLOW_NEXT)
			break;
	}
	return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

static enum flow
run_node(struct run *r, const struct plan_clause *c,
	 const struct plan_node *node, uint64_t *tag)
{
	bool ok = true;
	uint64_t v;

	switch (node->kind) {
	case PLAN_EXPR: ok = vm_run(r->vm, node->difos[0], &v); break;
	case PLAN_RECORD: ok = run_record(r, c, node); break;
	case PLAN_AGG: ok = run_agg(r->vm, node); break;
	case PLAN_ACT: ok = run_act(r->vm, node); break;
	case PLAN_SPEC: return run_spec(r, node, tag);
	case PLAN_PART: return run_part(r, c, node, tag);
	case PLAN_IF: return run_if(r, c, node, *tag);
	case PLAN_LOOP: return run_loop(r, c, node, *tag);
	case PLAN_BREAK: return FLOW_BREAK;
	case PLAN_CONTINUE: return FLOW_CONTINUE;
	case PLAN_RETURN: return FLOW_RETURN;
	}
	return ok ? FLOW_NEXT : FLOW_FAULT;
}

/* Recursion is as deep as the ifs and loops of the source are nested. */
static enum flow
run_nodes(struct run *r, const struct plan_clause *c,
	  const struct plan_node *node, uint64_t *tag)
{
	struct vm *vm = r->vm;

	for (; node; node = node->next) {
		uint32_t scratch = vm->scratch_used;

		if (node->action_no)
			vm->fault.action = node->action_no;
		vm->fault.place = node->tells_place ? node->place : 0;
		enum flow flow = run_node(r, c, node, tag);
		if (flow != FLOW_NEXT)
			return flow;
		if (node->frees && node->kind != PLAN_IF &&
		    node->kind != PLAN_LOOP)
			vm->scratch_used = scratch;
	}
	return FLOW_NEXT;
}

bool
vm_callf(struct vm *vm, uint32_t func)
{
	struct run r = { .vm = vm };
	uint32_t nfuncs = vm->nfuncs, place = vm->fault.place;
	uint64_t tag = 0;

	if (func >= nfuncs)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	vm->nfuncs = func;
	enum flow flow = run_nodes(&r, NULL, vm->cfg.prog->funcs[func].body,
				   &tag);
	vm->nfuncs = nfuncs;
	if (flow == FLOW_FAULT)
		return false;
	vm->fault.place = place;
	return true;
}

/* A RECORD node in a branch or loop, at any depth? */
static bool
has_branched_record(const struct plan_node *node, bool branched)
{
	for (; node; node = node->next) {
		if (node->kind == PLAN_RECORD && branched)
			return true;
		if ((node->kind == PLAN_IF || node->kind == PLAN_LOOP) &&
		    (has_branched_record(node->then_, true) ||
		     has_branched_record(node->else_, true)))
			return true;
	}
	return false;
}

enum vm_outcome
vm_clause(struct vm *vm, const struct plan_clause *c, uint32_t epid)
{
	struct run r = { .vm = vm, .epid = epid };
	uint64_t v = 1, tag = 0;

	vm->scratch_used = 0;
	vm->turns = 0;
	vm->nfuncs = vm->cfg.prog->nfuncs;
	vm->fault = (struct vm_fault){ .fault = ABI_FAULT_NONE };
	vm->fault.place = abi_place_file(c->place) ? c->place : 0;
	if (c->pred && !vm_run(vm, c->pred, &v))
		return VM_FAULTED;
	if (!v || (!c->in_parts && !reserve(&r, epid, c->desc.record_size)))
		return VM_FALSE;
	r.used = abi_log_start(&c->desc);
	enum flow flow = run_nodes(&r, c, c->body, &tag);
	if (flow != FLOW_FAULT && flow != FLOW_QUIT &&
	    (r.recorded || !has_branched_record(c->body, false)))
		send(&r, c, tag);
	finish(&r, false);
	if (flow == FLOW_FAULT)
		return vm->fault.fault == ABI_FAULT_NONE ? VM_FALSE
							 : VM_FAULTED;
	/* Copying out results leaves its offset there. */
	vm->fault = (struct vm_fault){ .fault = ABI_FAULT_NONE };
	return VM_DONE;
}
