/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What differs between machines.  The indices of uregs[]: words of the registers that a
 * thread had when it entered the kernel.  Some flags of open(2); the rest: fcntl.d.
 */
inline int R_X0 = 0;
inline int R_X1 = 1;
inline int R_X2 = 2;
inline int R_X3 = 3;
inline int R_X4 = 4;
inline int R_X5 = 5;
inline int R_X6 = 6;
inline int R_X7 = 7;
inline int R_X8 = 8;
inline int R_X9 = 9;
inline int R_X10 = 10;
inline int R_X11 = 11;
inline int R_X12 = 12;
inline int R_X13 = 13;
inline int R_X14 = 14;
inline int R_X15 = 15;
inline int R_X16 = 16;
inline int R_X17 = 17;
inline int R_X18 = 18;
inline int R_X19 = 19;
inline int R_X20 = 20;
inline int R_X21 = 21;
inline int R_X22 = 22;
inline int R_X23 = 23;
inline int R_X24 = 24;
inline int R_X25 = 25;
inline int R_X26 = 26;
inline int R_X27 = 27;
inline int R_X28 = 28;
inline int R_X29 = 29;
inline int R_X30 = 30;
inline int R_SP = 31;
inline int R_PC = 32;
inline int R_PSTATE = 33;
inline int R_ORIG_X0 = 34;
inline int R_SYSCALLNO = 35;

/* What every machine has. */
inline int R_FP = R_X29;
inline int R_LR = R_X30;
inline int R_PS = R_PSTATE;
inline int R_R0 = R_X0;
inline int R_R1 = R_X1;

inline int O_DIRECTORY = 040000;
inline int O_NOFOLLOW = 0100000;
inline int O_DIRECT = 0200000;
inline int O_LARGEFILE = 0400000;
inline int O_TMPFILE = 020040000;
