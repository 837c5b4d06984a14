/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BPF code in memory: functions, maps, and which instruction names which.  The
 * generator makes an object of a program, the build makes one of the runtime
 * (bpfrt/pack.c), and kern loads both as one.
 *
 * An instruction that names something says by its source register what, as
 * linux/bpf.h has it: BPF_PSEUDO_CALL and BPF_PSEUDO_FUNC a function,
 * BPF_PSEUDO_MAP_FD a map, BPF_PSEUDO_MAP_VALUE a place in a map of one element,
 * whose offset stands in the second half of the pair.  What the kernel wants to
 * find in its immediate is filled in when it is loaded.
 */
#ifndef ABI_OBJ_H
#define ABI_OBJ_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_insn;

struct abi_ref {
	uint32_t insn;		/* within the code of the object */
	uint32_t target;	/* a function's or map's index in the object */
};

enum abi_func_kind {
	ABI_FUNC_STATIC,	/* verified wherever it is called */
	ABI_FUNC_GLOBAL,	/* verified once, for any arguments */
	ABI_FUNC_PROG,		/* a program */
};

/* Arguments and results are u64, but for the context of a program. */
struct abi_func {
	const char *name;
	uint32_t insn, ninsns;	/* its code; ninsns 0: another object has it */
	uint32_t ref, nrefs;	/* what it names, in the order of insn */
	uint8_t kind;		/* enum abi_func_kind */
	uint8_t attach;		/* PROG: enum abi_attach */
	uint8_t nargs;
	uint8_t cells;		/* GLOBAL: the first argument is the address of
				 * so many u64; 0: a number */
	bool optional;		/* a program that is loaded when asked for */
};

struct abi_map {
	const char *name;
	uint32_t type;		/* enum bpf_map_type; 0: another object has it */
	uint32_t key_size, value_size, entries, flags;
	uint32_t inner;		/* ARRAY_OF_MAPS: bytes of the only element of
				 * each array in it, which can be mapped */
	const void *data;	/* what the only element begins with; NULL: 0 */
};

struct abi_obj {
	const struct bpf_insn *code;
	const struct abi_func *funcs;
	const struct abi_map *maps;
	const struct abi_ref *refs;
	uint32_t nfuncs, nmaps;
};

#endif
