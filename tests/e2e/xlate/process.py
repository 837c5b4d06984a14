"""process.py DTRACE: each member of psinfo_t, lwpsinfo_t and cpuinfo_t of a
process whose every number is another, beside what /proc, getrusage() and the process
itself say; prints what differs."""
import ctypes
import fcntl
import os
import pathlib
import re
import resource
import subprocess
import sys
import termios
import threading
import time

# The members, each with D's format.  Strings come last in a line: they have blanks.
PSINFO = '''pr_flag pr_nlwp pr_pid pr_ppid pr_pgid pr_sid pr_uid pr_euid pr_gid pr_egid
    pr_addr pr_size pr_rssize pr_ttydev pr_wstat pr_argc pr_argv pr_envp pr_dmodel pr_taskid
    pr_projid pr_nzomb pr_poolid pr_zoneid pr_contract'''.split()
LWPSINFO = '''pr_flag pr_lwpid pr_addr pr_wchan pr_stype pr_state pr_sname pr_nice pr_syscall
    pr_oldpri pr_cpu pr_pri pr_onpro pr_bindpro pr_bindpset pr_lgrp'''.split()
CPUINFO = 'cpu_id cpu_pset cpu_chip cpu_lgrp'.split()
TIMES = 'pr_start pr_time'.split()

SCRIPT = '''
#pragma D option quiet
syscall::getppid:entry /pid == $target && tid != pid && !told++/
{
%s
	printf("here %%d %%d\\n", (int64_t)curthread, cpu);
	printf("argv %%s\\n", copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_argv, 8)));
	printf("envp %%s\\n", copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_envp, 8)));
}
''' % '\n'.join(
    [f'\tprintf("ps.{m} %d\\n", (int64_t)curpsinfo->{m});' for m in PSINFO] +
    [f'\tprintf("lwp.{m} %d\\n", (int64_t)curlwpsinfo->{m});' for m in LWPSINFO] +
    [f'\tprintf("in.{m} %d\\n", (int64_t)curpsinfo->pr_lwp.{m});' for m in LWPSINFO] +
    [f'\tprintf("cpu.{m} %d\\n", curcpu->{m});' for m in CPUINFO] +
    [f'\tprintf("{who}.{m} %d\\n", {of}->{m}.tv_sec * 1000000000 + {of}->{m}.tv_nsec);'
     for who, of in (('ps', 'curpsinfo'), ('lwp', 'curlwpsinfo')) for m in TIMES] +
    ['\tprintf("ps.pr_ctime %d\\n", curpsinfo->pr_ctime.tv_sec * 1000000000 + '
     'curpsinfo->pr_ctime.tv_nsec);',
     '\tprintf("ps.pr_fname %s\\n", curpsinfo->pr_fname);',
     '\tprintf("ps.pr_psargs %s\\n", curpsinfo->pr_psargs);',
     '\tprintf("lwp.pr_clname %s\\n", curlwpsinfo->pr_clname);',
     '\tprintf("lwp.pr_name %s\\n", curlwpsinfo->pr_name);',
     '\tprintf("cpu.pi_state %d\\n", curcpu->cpu_info.pi_state);',
     '\tprintf("cpu.pi_clock %d\\n", curcpu->cpu_info.pi_clock);',
     '\tprintf("cpu.pi_processor_type %s\\n", curcpu->cpu_info.pi_processor_type);',
     '\tprintf("cpu.pi_fputypes %s\\n", curcpu->cpu_info.pi_fputypes);'])


# --- The process -------------------------------------------------------------------

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def stat_of(path):
    """The fields behind the name, by the numbers of proc(5)."""
    fields = pathlib.Path(path, 'stat').read_text().rpartition(')')[2].split()
    return {i: int(v) for i, v in enumerate(fields, 3) if i > 3}


def status(name):
    found = re.search(rf'^{name}:\s*(.*)$',
                      pathlib.Path('/proc/self/status').read_text(), re.M)
    return [int(v) for v in found[1].split() if v.isdigit()]


def boot_time():
    now = time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return now


def ran(tid):
    return int(pathlib.Path(f'/proc/self/task/{tid}/schedstat').read_text().split()[0])


def the_thread(libc):
    tid = threading.get_native_id()
    libc.prctl(15, b'a thread', 0, 0, 0)
    os.setpriority(os.PRIO_PROCESS, tid, 7)
    os.sched_setaffinity(tid, {max(os.sched_getaffinity(0))})
    libc.sched_setscheduler(tid, 3, ctypes.byref(ctypes.c_int(0)))
    burn(0.1)
    task = stat_of(f'/proc/self/task/{tid}')
    proc = stat_of('/proc/self')
    uid, gid = status('Uid'), status('Gid')
    cpu, = os.sched_getaffinity(tid)
    tty = proc[7]
    ticks = 1000000000 // os.sysconf('SC_CLK_TCK')
    ru = resource.getrusage(resource.RUSAGE_CHILDREN)
    before = ran(tid)
    libc.syscall(110)                                               # getppid
    ran_so = 'between', before, ran(tid)
    zero = dict.fromkeys('''ps.pr_wstat ps.pr_taskid ps.pr_projid ps.pr_nzomb ps.pr_poolid
        ps.pr_zoneid ps.pr_contract lwp.pr_wchan lwp.pr_stype lwp.pr_cpu lwp.pr_lgrp
        cpu.cpu_pset'''.split(), 0)
    topology = f'/sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id'
    nodes = list(pathlib.Path(f'/sys/devices/system/cpu/cpu{cpu}').glob('node[0-9]*'))
    yield from zero.items()
    yield from {
        'ps.pr_flag': task[9], 'lwp.pr_flag': task[9],
        'ps.pr_nlwp': status('Threads')[0], 'ps.pr_pid': os.getpid(),
        'ps.pr_ppid': os.getppid(), 'ps.pr_pgid': os.getpgrp(),
        'ps.pr_sid': os.getsid(0), 'ps.pr_uid': uid[0], 'ps.pr_euid': uid[1],
        'ps.pr_gid': gid[0], 'ps.pr_egid': gid[1],
        'ps.pr_size': ('near', status('VmSize')[0], 1024),
        'ps.pr_rssize': ('near', status('VmRSS')[0], 2048),
        'ps.pr_ttydev': (tty >> 8 & 0xfff) << 20 | tty & 0xff | tty >> 12 & 0xfff00,
        'ps.pr_argc': len(pathlib.Path('/proc/self/cmdline').read_bytes().split(b'\0')) - 1,
        'ps.pr_dmodel': 2,                                          # PR_MODEL_LP64
        'ps.pr_fname': 'a thread',
        'ps.pr_psargs': pathlib.Path('/proc/self/cmdline').read_text()
            .replace('\0', ' ').strip(),
        'ps.pr_start': ('near', boot_time() + proc[22] * ticks, 2 * ticks),
        'ps.pr_time': ('between', ran_so[1], ran_so[2] + 100000000),  # and who has ended
        'ps.pr_ctime': ('near', round(1e9 * (ru.ru_utime + ru.ru_stime)), 20000000),
        'argv': sys.orig_argv[0],
        'envp': pathlib.Path('/proc/self/environ').read_text().split('\0')[0],
        'lwp.pr_lwpid': tid, 'lwp.pr_state': 6, 'lwp.pr_sname': ord('O'),
        'lwp.pr_nice': task[19], 'lwp.pr_syscall': 110, 'lwp.pr_oldpri': task[18] + 100,
        'lwp.pr_pri': task[18] + 100, 'lwp.pr_onpro': cpu, 'lwp.pr_bindpro': cpu,
        'lwp.pr_bindpset': -1, 'lwp.pr_clname': 'TS', 'lwp.pr_name': 'a thread',
        'lwp.pr_start': ('near', boot_time() + task[22] * ticks, 2 * ticks),
        'lwp.pr_time': ran_so,
        'cpu.cpu_id': cpu, 'cpu.cpu_chip': int(pathlib.Path(topology).read_text()),
        'cpu.cpu_lgrp': int(nodes[0].name[4:]) if nodes else 0,
        'cpu.pi_state': 2,                                          # P_ONLINE
        'cpu.pi_processor_type': os.uname().machine,
        'cpu.pi_fputypes': 'i387 compatible',
    }.items()


def main_of_child():
    """In a session and a group of its own, with a terminal, other users, and a child
    that has ended; another thread than the first calls."""
    libc = ctypes.CDLL(None, use_errno=True)
    out = open(sys.argv[2], 'w')
    master, slave = os.openpty()
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    if os.fork() == 0:
        burn(0.05)
        os._exit(0)
    os.wait()
    os.setresgid(1234, 4321, 0)
    libc.prctl(4, 1, 0, 0, 0)                   # may still look at itself
    os.setresuid(2345, 0, 0)
    libc.prctl(4, 1, 0, 0, 0)
    end = threading.Event()
    waits = threading.Thread(target=end.wait)
    waits.start()

    def run():
        for name, value in the_thread(libc):
            print(name, repr(value), file=out, flush=True)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    end.set()


# --- Those who compare -------------------------------------------------------------

def differs(name, want, got):
    if isinstance(want, tuple):
        how, a, b = want
        return not (a <= int(got) <= b if how == 'between' else abs(int(got) - a) <= b)
    return str(want) != got


def main():
    if sys.argv[1] == '--child':
        main_of_child()
        return
    told = pathlib.Path('told')
    made = subprocess.run(
        [sys.argv[1], '-n', SCRIPT, '-c', f'{sys.executable} {__file__} --child {told}'],
        capture_output=True, text=True)
    got = dict(line.partition(' ')[::2] for line in made.stdout.splitlines() if line)
    print(made.stderr, end='')
    wanted = dict(line.partition(' ')[::2] for line in told.read_text().splitlines())
    wanted = {name: eval(text) for name, text in wanted.items()}
    task, cpu = got['here'].split()
    wanted |= {'ps.pr_addr': task, 'lwp.pr_addr': task, 'lwp.pr_onpro': cpu,
               'ps.pr_argv': got['ps.pr_argv'], 'ps.pr_envp': got['ps.pr_envp']}
    wanted |= {'in.' + m: wanted['lwp.' + m] for m in LWPSINFO}
    clock = float(got.pop('cpu.pi_clock'))
    got.pop('here')
    for name in sorted(got.keys() | wanted.keys()):
        if name not in got or name not in wanted or \
                differs(name, wanted[name], got[name]):
            print(name, 'is', got.get(name), 'and not', wanted.get(name))
    mhz = re.findall(r'^cpu MHz\s*: (.*)$', pathlib.Path('/proc/cpuinfo').read_text(), re.M)
    if not any(abs(clock - float(m)) < 0.5 * float(m) for m in mhz):
        print('cpu.pi_clock is', clock, 'and not', mhz)
    print(len(got) + 1, 'compared')


main()
