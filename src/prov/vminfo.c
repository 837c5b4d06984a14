/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The vminfo provider: what the kernel counts of memory.  arg0 is by how much the
 * counter goes up; there is no counter to point to, arg1 is 0.
 *
 * Only those counters are here that something of this kernel is exactly (the guide
 * has the table).  A fault is told as the processor brings it: bit 0 of its code says
 * that the page was there, so it is what may be done to it that was missing; the
 * addresses of processes are those that are not negative.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define ONE "1; 0"
#define FAULT(where, when) \
	{ DERIVE_TRACEPOINT, "page_fault_" where, when, ONE }
#define OWN "(int64_t)arg0 >= 0"
#define BIO(op) "(((struct bio *)arg0)->bi_opf & 0xff) == " op \
		" && ((struct bio *)arg0)->bi_iter.bi_size"
#define PAGES "(((struct bio *)arg0)->bi_iter.bi_size + 4095) >> 12; 0"
#define QUEUED(op, values) \
	{ DERIVE_TRACEPOINT, "block_bio_queue", BIO(op), values }
#define SHRINK(n) \
	{ DERIVE_TRACEPOINT, "mm_vmscan_lru_shrink_inactive", n, n "; 0" }

static const struct derive_probe probes[] = {
	{ "as_fault", NULL, {
		FAULT("user", "!(arg2 & 1)"),
		FAULT("kernel", "!(arg2 & 1) && " OWN) } },
	{ "dfree", NULL, { SHRINK("arg2") } },
	{ "kernel_asflt", NULL, { FAULT("kernel", "(int64_t)arg0 < 0") } },
	{ "maj_fault", NULL, { { DERIVE_EVENT, "major_faults", NULL, ONE } } },
	{ "pgin", NULL, { QUEUED("0", ONE) } },
	{ "pgout", NULL, { QUEUED("1", ONE) } },
	{ "pgpgin", NULL, { QUEUED("0", PAGES) } },
	{ "pgpgout", NULL, { QUEUED("1", PAGES) } },
	{ "pgrrun", NULL, {
		{ DERIVE_TRACEPOINT, "mm_vmscan_kswapd_wake", NULL, ONE } } },
	{ "prot_fault", NULL, {
		FAULT("user", "arg2 & 1"),
		FAULT("kernel", "arg2 & 1 && " OWN) } },
	{ "scan", NULL, { SHRINK("arg1") } },
};

DERIVE(vminfo, "vminfo", probes, PROV_ATTR_RAW);
