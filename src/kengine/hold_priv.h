/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the consumer and who watches over it both do.
 */
#ifndef KENGINE_HOLD_PRIV_H
#define KENGINE_HOLD_PRIV_H

#include <stdbool.h>
#include <sys/types.h>

#include "abi/hold.h"
#include "util/err.h"

/* A process that has been sent SIGSTOP. */
enum hold_look {
	HOLD_WAITS,		/* it stands still, or is about to */
	HOLD_COMES,		/* the signal is not there yet; or somebody else has
				 * let go of it */
	HOLD_OTHERS,		/* somebody else has stopped it, too, or traces it */
	HOLD_GONE,
};

enum hold_look hold_look_at(uint32_t pid);
/* Wait for it to stand still, and have it go on, if that is ours to do. */
enum hold_look hold_let_go(uint32_t pid);
/* Nobody is stopped from now on; those that are are let go of. */
void hold_disarm(struct abi_hold *shared);

struct hold_guard { pid_t pid; int fd; };

/* Start who watches. */
struct err *hold_guard_start(struct abi_hold *shared, uint64_t most_ns,
			     struct hold_guard *ret);
void hold_guard_end(struct hold_guard *g);

#endif
