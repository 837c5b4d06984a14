/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Facts of the system that programs read as variables of a kernel
 * (sema/kvar.def).  The consumer keeps them in the control block, since no
 * BPF program can find the kernel's own: before BEGIN, then once a second.
 * Programs only read.  Each number is stored at once; text may be seen half
 * changed when the host is renamed.
 */
#ifndef ABI_KVAR_H
#define ABI_KVAR_H

#include "abi/int.h"

enum { ABI_UTS_LEN = 65 };	/* as the kernel's, NUL included */

struct abi_utsname {
	char sysname[ABI_UTS_LEN], nodename[ABI_UTS_LEN], release[ABI_UTS_LEN];
	char version[ABI_UTS_LEN], machine[ABI_UTS_LEN];
};

struct abi_loadavg {
	uint32_t ldavg[3];	/* load times fscale */
	uint32_t pad;
	int64_t fscale;
};

struct abi_kvars {
	uint64_t hp_avenrun[3];	/* load of 1, 5, 15 minutes times 65536 */
	uint64_t avenrun[3];	/* times 2048, as Linux keeps it */
	struct abi_loadavg averunnable;
	uint64_t physmem, freemem;	/* pages */
	uint32_t pagesize, pageshift;	/* bytes, bits */
	uint32_t ncpus, ncpus_online;
	uint32_t hz;		/* of lbolt */
	struct abi_utsname utsname;
};

enum { ABI_HZ = 100 };		/* lbolt counts hundredths of a second */

#endif
