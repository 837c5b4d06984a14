/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed-width types, for gcc and clang -target bpf.
 */
#ifndef ABI_INT_H
#define ABI_INT_H

#ifdef __bpf__
#include <linux/types.h>
typedef __u8 uint8_t;
typedef __u16 uint16_t;
typedef __u32 uint32_t;
typedef __u64 uint64_t;
typedef __s64 int64_t;
typedef __s32 int32_t;
#include <stdbool.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#endif
