/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel-side runtime as bytes: an ELF object for libbpf's linker.
 */
#ifndef BPFRT_BPFRT_H
#define BPFRT_BPFRT_H

#include <stddef.h>

extern const unsigned char bpfrt_object[];
extern const size_t bpfrt_object_size;

#endif
