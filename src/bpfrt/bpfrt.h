/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel-side runtime, to be joined with a generated object; and what stops processes,
 * by itself.
 */
#ifndef BPFRT_BPFRT_H
#define BPFRT_BPFRT_H

#include "abi/obj.h"

extern const struct abi_obj bpfrt_object, bpfrt_hold_object;

#endif
