/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The input of the fuzzer of records: first what things are, then what happens.
 * One byte of flags (enum), then operations, each a byte, modulo their number,
 * and its operands; numbers are little-endian.
 */
#ifndef TESTS_FUZZ_RECORDS_H
#define TESTS_FUZZ_RECORDS_H

/* From RECORDS_SHAPE on: enum opt_oformat. */
enum records_flag { RECORDS_QUIET = 1, RECORDS_TEMPORAL = 2,
		    RECORDS_SHAPE = 4 };

enum records_describe {
	DESCRIBE_AGG,		/* function - COUNT, 1; arg, 8 */
	DESCRIBE_KEY,		/* of the last aggregation, as FIELD */
	DESCRIBE_CLAUSE,	/* branches, 1 */
	DESCRIBE_ACTION,	/* index in records_actions, 1; branch, 1;
				 * length of the format, 1; the format, which
				 * for PRINT is the name of a type */
	DESCRIBE_FIELD,		/* kind, 1; sub, 1; signed, 1; size, 2 */
	DESCRIBE_USE,		/* aggregation id, 1 */
	DESCRIBE_EPID,		/* probe, 1: of the last clause */
	DESCRIBE_BEND,		/* what, 1; which, 1; number, 4: make some
				 * number of a description another */
	DESCRIBE_DONE,
	NDESCRIBE
};

enum records_happen {
	HAPPEN_RECORD,		/* cpu, 1; EPID, 1; time, 8; its bytes behind
				 * the header */
	HAPPEN_RAW,		/* cpu, 1; size, 1; bytes */
	HAPPEN_ERROR,		/* cpu, 1; time, 8; EPID, action, offset, fault,
				 * 4 each; value, 8 */
	HAPPEN_SAMPLE,		/* aggregation id, 1; key; number of cells, 1;
				 * index, 2, and value, 8, of each */
	HAPPEN_DROP,		/* kind, 1; cpu, 1; more, 4 */
	HAPPEN_OPTION,		/* index in records_options, 1; value, 2 */
	HAPPEN_PASS,		/* 1: all */
	HAPPEN_END,
	NHAPPEN
};

/* X(name) in the order of their numbers here. */
#define RECORDS_ACTIONS(X) \
	X(DIFEXPR) X(EXIT) X(PRINTF) X(PRINTA) X(TRACEMEM) \
	X(TRACEMEM_DYNSIZE) X(PRINTM) X(STACK) X(USTACK) X(SYM) X(USYM) \
	X(SYSTEM) X(FREOPEN) X(CLEAR) X(TRUNC) X(NORMALIZE) X(DENORMALIZE) \
	X(NONE) X(LIBACT) X(JSTACK) X(UMOD) X(UADDR) X(MOD) X(FTRUNCATE) \
	X(PRINT)

#endif
