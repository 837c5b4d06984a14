/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The kernel-side runtime: what is better written than generated.  Built once
 * for all programs; kern joins it with the code of a program, and loads only
 * the functions that are reached and the maps that they name.
 */
#include "bpfrt/rt.h"

#include "bpfrt/arith.h"
#include "bpfrt/agg.h"
#include "bpfrt/drop.h"
#include "bpfrt/flight.h"
#include "bpfrt/interval.h"
#include "bpfrt/cache.h"
#include "bpfrt/mem.h"
#include "bpfrt/spec.h"
#include "bpfrt/str.h"
#include "bpfrt/pathstr.h"
#include "bpfrt/num.h"
#include "bpfrt/float.h"
#include "bpfrt/text.h"
#include "bpfrt/path.h"
#include "bpfrt/json.h"
#include "bpfrt/task.h"
#include "bpfrt/layout.h"
#include "bpfrt/kstack.h"
#include "bpfrt/leaf.h"
#include "bpfrt/ustack.h"
#include "bpfrt/mapping.h"
#include "bpfrt/unwind.h"
#include "bpfrt/act.h"
#include "bpfrt/user.h"
#include "bpfrt/lock.h"
#include "bpfrt/thread.h"
#include "bpfrt/front.h"
#include "bpfrt/runs.h"
#include "bpfrt/vtime.h"

char _license[] SEC("license") = "Dual BSD/GPL";
