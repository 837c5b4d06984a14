/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the fuzzers share.  A target is one file with one function, which takes
 * any bytes and must not crash, leak or go on for ever; what else must hold is
 * said with fuzz_must().  The same function runs under libFuzzer (tools/fuzz)
 * and, over the seeds and the inputs that are kept, as a test (replay.c).
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Say what does not hold and abort. */
void fuzz_fail(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
#define fuzz_must(cond) \
	((cond) ? (void)0 : fuzz_fail("%s:%d: %s", __FILE__, __LINE__, #cond))

/* --- Numbers out of bytes: 0 when there are no more ---------------------- */

struct bytes {
	const uint8_t *p;
	size_t n;
};

/* At most n bytes, borrowed; *got is how many. */
const uint8_t *bytes_take(struct bytes *b, size_t n, size_t *got);
/* n bytes into buf, zeros behind the last. */
void bytes_copy(struct bytes *b, void *buf, size_t n);
uint8_t bytes_u8(struct bytes *b);
uint16_t bytes_u16(struct bytes *b);
uint32_t bytes_u32(struct bytes *b);
uint64_t bytes_u64(struct bytes *b);

#endif
