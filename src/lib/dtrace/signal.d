/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The names of signals, and why a process ended (si_code of SIGCHLD).
 */
inline int SIGHUP = 1;
