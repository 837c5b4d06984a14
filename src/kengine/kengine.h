/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The engine that runs plans as eBPF programs in the kernel.
 */
#ifndef KENGINE_KENGINE_H
#define KENGINE_KENGINE_H

#include "engine/engine.h"

/* The caller's to free with engine_free(). */
struct err *kengine_new(const struct engine_input *in, struct engine **ret);

#endif
