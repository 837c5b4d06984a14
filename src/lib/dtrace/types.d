/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types that scripts name and that a kernel may not have: those of the C library
 * and of other systems.  A program may define each itself before it uses one.
 */
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned char unchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long ptrdiff_t;

typedef enum { B_FALSE = 0, B_TRUE = 1 } boolean_t;
typedef int bool_t;

/* Time. */
typedef long long hrtime_t;	/* ns */
typedef long time_t;		/* s */
typedef long clock_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;

typedef struct timespec {
	time_t tv_sec;
	long tv_nsec;
} timespec_t;

typedef struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
} timeval_t;

typedef struct itimerval {
	struct timeval it_interval;
	struct timeval it_value;
} itimerval_t;

typedef struct itimerspec {
	struct timespec it_interval;
	struct timespec it_value;
} itimerspec_t;

/* Files. */
typedef unsigned long ino64_t;
typedef long off64_t;
typedef long blksize_t;
typedef long daddr_t;
typedef long long offset_t;
typedef unsigned long long u_offset_t;
typedef long long diskaddr_t;
typedef unsigned long rlim_t;
typedef unsigned int major_t;
typedef unsigned int minor_t;

/* The network. */
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
typedef unsigned int socklen_t;

/* Addresses and registers of programs, as macOS and FreeBSD call them, and what programs
 * of 32 bits have. */
typedef unsigned long user_addr_t;
typedef unsigned long user_size_t;
typedef long user_ssize_t;
typedef long user_long_t;
typedef unsigned long user_ulong_t;
typedef long user_off_t;
typedef unsigned long mach_vm_address_t;
typedef unsigned long mach_vm_offset_t;
typedef unsigned long mach_vm_size_t;
typedef unsigned long vm_address_t;
typedef unsigned long vm_offset_t;
typedef unsigned long vm_size_t;
typedef long register_t;
typedef long greg_t;
typedef long long quad_t;
typedef unsigned long long u_quad_t;
typedef unsigned int caddr32_t;
typedef unsigned int size32_t;
typedef int ssize32_t;
typedef int off32_t;
typedef int time32_t;
typedef int pid32_t;

/* Processes, memory, zones. */
typedef unsigned long pthread_t;
typedef unsigned int lwpid_t;
typedef id_t taskid_t;
typedef id_t poolid_t;
typedef id_t zoneid_t;
typedef id_t ctid_t;
typedef unsigned long pgcnt_t;
typedef unsigned long pfn_t;
