/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CPUs: cpuinfo_t, and that of the CPU that fired.  A chip is a package, a
 * locality group a memory node; there are no sets of processors.
 */
typedef int processorid_t;
typedef int psetid_t;
typedef int chipid_t;
typedef int lgrp_id_t;

/* pi_state */
inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

typedef struct processor_info {
	int pi_state;			/* P_ONLINE: it fired */
	char pi_processor_type[16];
	char pi_fputypes[32];
	int pi_clock;			/* MHz */
} processor_info_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
	processor_info_t cpu_info;
} cpuinfo_t;

translator processor_info_t < processorid_t CPU > {
	pi_state = P_ONLINE;
	pi_processor_type = "x86_64";
	pi_fputypes = "i387 compatible";
	pi_clock = __mhz[CPU];
};

translator cpuinfo_t < processorid_t CPU > {
	cpu_id = CPU;
	cpu_pset = 0;
	cpu_chip = __chip[CPU];
	cpu_lgrp = __node[CPU];
	cpu_info = xlate <processor_info_t>(CPU);
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *>((processorid_t)cpu);
#pragma D attributes Stable/Stable/Common curcpu

inline psetid_t pset = curcpu->cpu_pset;
#pragma D attributes Stable/Stable/Common pset

inline chipid_t chip = curcpu->cpu_chip;
#pragma D attributes Stable/Stable/Common chip

inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
#pragma D attributes Stable/Stable/Common lgrp
