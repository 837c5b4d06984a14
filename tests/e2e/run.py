#!/usr/bin/env python3
"""run.py TOPIC WORKLOAD: run the cases of a directory against $DTRACE; TAP.

    tst.NAME.d       a script, run as `dtrace [flags] -s tst.NAME.d [args]` on
                     one CPU, in the directory
    tst.NAME.sh      a bash script, run in an empty directory; has $DTRACE,
                     $WORKLOAD, $HERE (the topic) and the functions of lib.sh
    tst.NAME.out     what standard output must be; nothing, without it
    tst.NAME.err     what standard error must be; without it, lines that tell
                     how many probes matched are allowed, and in a case of a
                     clock (profile, cpc), or of locks, whose functions an
                     interrupt may call while their program runs (lockstat),
                     how many firings a busy machine lost, and nothing else
    .out.re .err.re  the same, each line a regular expression that must match
                     the whole line; a line `...` is any number of lines,
                     `... EXPRESSION` of lines that match it

The first lines of a case may say in a comment, one each:
    flags: -q        args: 1 2        status: 3 (default 0)
    timeout: seconds (default 60)     needs: commands without which to skip
In flags, $WORKLOAD stands for the workload's path.

A script that cannot be run here exits with status 77, and says why.

With $E2E_FIRST in the environment the first failure ends all; with $E2E_TAME
those cases are left out that would change processes if a predicate were wrong, and
those whose processes have numbers of their own
(tools/mutate).  With $SOAK=N cases of some topics do N times as much, and have N
times as long.  With $E2E_SLOW=N they have N times as long, for a machine that is
slow, and with $PATIENCE=N, which tools/run-tests says, for one that is busy.  With $E2E_ONLY only cases run whose whole name that expression matches.
$E2E_DISK is a disk that cases may write to, and $E2E_BAD_SECTOR one of its sectors that
cannot be read; $E2E_BUSY_DISK is scsi_debug's (tests/vm).
"""
import ctypes
import difflib
import math
import os
import pathlib
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WORKLOAD = ''.join(sys.argv[2:3])     # none: guide.py
TIMES = ('SOAK', 'E2E_SLOW', 'PATIENCE')       # how many times as long a case may take
KEY = re.compile(r'[ \t/*#]*(flags|args|status|timeout|needs):\s*(.*?)\s*(\*/)?$')
CHATTER = re.compile(r"dtrace: (script|description) '.*' matched \d+ probes?")
LOSES = re.compile(r'\b(profile-|cpc:|lockstat:)')
LOST = re.compile(r'dtrace: \d+ firings? lost')


def why_not():
    """Why nothing can be traced here, or None."""
    if os.geteuid() != 0:
        return 'needs root'
    number = {'x86_64': 321, 'aarch64': 280}.get(platform.machine())
    if number is None:
        return 'no system call table for ' + platform.machine()
    # BPF_MAP_CREATE of an array: a kernel that refuses this refuses tracing
    attr = (ctypes.c_uint32 * 32)(2, 4, 4, 1)
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(number, 0, attr, ctypes.sizeof(attr))
    if fd < 0:
        return 'bpf(2): ' + os.strerror(ctypes.get_errno())
    os.close(fd)
    if not os.path.exists('/sys/kernel/btf/vmlinux'):
        return 'the kernel has no BTF'
    return None


def default_signals():
    """A shell in the background, or nohup(1), has us ignore signals that cases
    send, and what is ignored at the start no shell can undo."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_DFL)
        except OSError:         # the C library's own
            pass


class Case:
    def __init__(self, path):
        self.path = path
        self.name = path.name.split('.', 1)[1]
        self.keys = {'status': '0', 'timeout': '60', 'flags': '', 'args': '',
                     'needs': ''}
        for line in path.read_text().splitlines()[:12]:
            if found := KEY.match(line):
                self.keys[found[1]] = found[2]

    def missing(self):
        return [c for c in self.keys['needs'].split() if not shutil.which(c)]

    def is_tame(self):
        text = self.path.read_text()
        return not re.search(r'destructive|unshare|(?:^|\s)-[a-zA-Z]*w', text)

    def timeout(self):
        return math.prod(int(os.environ.get(name, 1)) for name in TIMES) * \
            int(self.keys['timeout'])

    def command(self):
        if self.path.suffix == '.sh':
            return ['bash', '-c', '. "$E2E/lib.sh"; . "$0"', str(self.path)]
        flags = self.keys['flags'].replace('$WORKLOAD', WORKLOAD)
        return [os.environ['DTRACE'], *shlex.split(flags),
                '-s', self.path.name, *shlex.split(self.keys['args'])]

    def run(self, env, directory):
        script = self.path.suffix == '.sh'
        def prepare():
            default_signals()
            if not script:
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        with subprocess.Popen(
                self.command(), cwd=directory if script else self.path.parent,
                env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, errors='backslashreplace',
                start_new_session=True, preexec_fn=prepare) as child:
            try:
                out, err = child.communicate(timeout=self.timeout())
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                out, err = child.communicate()
                yield f'no end after {self.timeout()} s'
        self.skipped = out.strip() if child.returncode == 77 else None
        if self.skipped:
            return
        status = str(child.returncode)
        if status != self.keys['status']:
            yield f"exit status {status}, not {self.keys['status']}"
        yield from self.compare('err', err)
        yield from self.compare('out', out)

    def is_chatter(self, line):
        return CHATTER.fullmatch(line) or \
            (LOST.fullmatch(line) and LOSES.search(self.path.read_text()))

    def compare(self, which, got):
        exact = self.path.with_suffix('.' + which)
        pattern = self.path.with_suffix(f'.{which}.re')
        if pattern.exists():
            wanted = pattern.read_text()
            lines = [f'(?:(?:{line[4:] or ".*"})\n)*?' if re.match(r'\.\.\.( |$)', line)
                     else f'(?:{line})\n' for line in wanted.splitlines()]
            if re.fullmatch(''.join(lines), got):
                return
        else:
            wanted = exact.read_text() if exact.exists() else ''
            if which == 'err' and not exact.exists():
                got = ''.join(line for line in got.splitlines(True)
                              if not self.is_chatter(line.rstrip('\n')))
            if got == wanted:
                return
        yield f'std{which}, wanted (-) and got (+):'
        yield from difflib.unified_diff(wanted.splitlines(), got.splitlines(),
                                        n=2, lineterm='')


def main():
    topic = pathlib.Path(sys.argv[1]).resolve()
    cases = [Case(p) for p in sorted(topic.glob('tst.*'))
             if p.suffix in ('.d', '.sh')]
    if only := os.environ.get('E2E_ONLY'):
        cases = [c for c in cases if re.fullmatch(only, c.name.rsplit('.', 1)[0])]
        if not cases:
            sys.exit(f'Bail out! {topic.name} has no case {only}')
    if os.environ.get('E2E_TAME'):
        cases = [c for c in cases if c.is_tame()]
    reason = why_not()
    if reason:
        print(f'1..0 # SKIP {reason}')
        return 0
    print(f'1..{len(cases)}')
    env = {**os.environ, 'WORKLOAD': WORKLOAD, 'HERE': str(topic),
           'E2E': str(pathlib.Path(__file__).resolve().parent)}
    bad = 0
    for number, case in enumerate(cases, 1):
        if missing := case.missing():
            print(f'ok {number} - {case.name} # SKIP no {" ".join(missing)}')
            continue
        with tempfile.TemporaryDirectory(prefix='e2e-') as directory:
            complaints = list(case.run(env, directory))
        skip = f' # SKIP {case.skipped}' if case.skipped else ''
        print(f"{'not ' if complaints else ''}ok {number} - {case.name}{skip}",
              flush=True)
        for line in complaints:
            print(f'#   {line}')
        bad += bool(complaints)
        if bad and os.environ.get('E2E_FIRST'):
            break
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
