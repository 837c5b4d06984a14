/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CPUs: cpuinfo_t, and that of the CPU that fired.  A chip is a package, a
 * locality group a memory node; there are no sets of processors.
 */
typedef int processorid_t;
typedef int psetid_t;
typedef int chipid_t;
typedef int lgrp_id_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
} cpuinfo_t;

translator cpuinfo_t < processorid_t CPU > {
	cpu_id = CPU;
	cpu_pset = 0;
	cpu_chip = __chip[CPU];
	cpu_lgrp = __node[CPU];
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *>((processorid_t)cpu);
#pragma D attributes Stable/Stable/Common curcpu

inline psetid_t pset = curcpu->cpu_pset;
#pragma D attributes Stable/Stable/Common pset

inline chipid_t chip = curcpu->cpu_chip;
#pragma D attributes Stable/Stable/Common chip

inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
#pragma D attributes Stable/Stable/Common lgrp
