#!/usr/bin/env python3
"""run.py SERIES LIST WORKLOAD: run the cases of LIST under a kernel of another
series than this machine's, in a virtual machine (run-in-vm); TAP.

SERIES-arm64: of that architecture, with files of Debian's for it (`root`), and this tree
built for it (`cross`); WORKLOAD is a path in the build.

A line of LIST is a folder of cases beside this one (as tests/e2e/run.py runs them)
and, if not all of them are wanted, an expression for the names of those that are.
A program is meant where its line begins with `!`: it is run as it stands, with
$DTRACE, $BUILD and $HERE, this folder, in the environment, and prints TAP of its own.
LIST `systemd` is none: a boot by this machine's systemd, and what was traced of it.

A machine that cannot be started is a skip, with the reason; what fails in it, or
that it dies, is a failure.  $VM_KERNELS is where kernels are kept; $VM_LIST is another
list of this folder, and $VM_SECONDS how long a machine may live.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
SLOW = '8'      # how many times as long as on metal a case may take
# A machine needs room for the buffers of what it traces.
MEMORY = 6 << 30, 3 << 30
SECONDS = int(os.environ.get('VM_SECONDS', 600))
DISK = '256M'
SYSTEMD = '/lib/systemd/systemd'
BEGUN = '# the machine is up'


def lines_of(path):
    for line in pathlib.Path(path).read_text().splitlines():
        line = line.split('#')[0].strip()
        if line:
            yield line


# --- In the machine --------------------------------------------------------------

def run_line(line, workload):
    """The TAP of one line of the list."""
    env = {**os.environ, 'E2E_SLOW': SLOW, 'PATIENCE': '1', 'HERE': str(HERE),
           'E2E_DISK': '/dev/vda', 'E2E_BAD_SECTOR': '400000',
           'E2E_BUSY_DISK': '/dev/sda', 'E2E_HOTPLUG': '1'}
    if line.startswith('!'):
        command = os.path.expandvars(line[1:].strip())
        return subprocess.Popen(command, shell=True, env=env, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    topic, _, only = line.partition(' ')
    env['E2E_ONLY'] = only.strip()
    return subprocess.Popen(
        [sys.executable, HERE.parent / 'e2e/run.py', HERE.parent / topic, workload],
        env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def complaints():
    """What the kernel says that it never should: a lock-up may be the emulator's."""
    log = subprocess.run(['dmesg'], text=True, stdout=subprocess.PIPE).stdout
    return [line for line in log.splitlines()
            if re.search(r'\b(BUG|WARNING|Oops): ', line) and 'soft lockup' not in line]


def inside(path, workload):
    """All lines as one stream of TAP, numbered anew."""
    print(BEGUN, os.uname().release, flush=True)
    number = 0
    for line in lines_of(path):
        name = line.lstrip('! ').split()[0].rsplit('/', 1)[-1]
        seen = planned = 0
        begun = time.monotonic()
        child = run_line(line, workload)
        for text in child.stdout:
            if plan := re.match(r'1\.\.(\d+)\s*(#.*)?$', text):
                planned = int(plan[1])
                if plan[2]:
                    number += 1
                    print(f'ok {number} - {name} {plan[2]}', flush=True)
            elif case := re.match(r'(not )?ok\b\s*\d*\s*-?\s*(.*)', text):
                seen += 1
                number += 1
                print(f"{case[1] or ''}ok {number} - {name}: {case[2]}", flush=True)
            else:
                print('#' + text.rstrip('\n').removeprefix('#'), flush=True)
        if child.wait() < 0 or seen != planned:
            number += 1
            print(f'not ok {number} - {name}: ran {seen} of {planned}')
        print(f'# {line}: {time.monotonic() - begun:.0f} s', flush=True)
    number += 1
    said = complaints()
    print(f"{'not ' if said else ''}ok {number} - the kernel complains of nothing")
    for line in said:
        print('# ' + line)
    print(f'1..{number}')
    return 0


# --- Around it -------------------------------------------------------------------

def skip(reason):
    print(f'1..0 # SKIP {reason}')
    return 0


def room():
    """How much memory a machine can have here, in MB, or 0."""
    free = int(re.search(r'MemAvailable:\s*(\d+)',
                         pathlib.Path('/proc/meminfo').read_text())[1]) << 10
    return next((m >> 20 for m in MEMORY if m + (1 << 30) < free), 0)


NEEDED = {'': ['qemu-system-x86_64'],
          'arm64': ['qemu-system-aarch64', 'aarch64-linux-gnu-gcc', 'meson', 'ninja']}


def why_not(architecture):
    if os.uname().machine != 'x86_64':
        return 'the machine is made for x86-64'
    for command in (*NEEDED[architecture], 'busybox', 'xz', 'zstd', 'dpkg'):
        if not shutil.which(command):
            return f'no {command}'
    if os.geteuid() != 0:
        return 'needs root, to share this machine\'s files'
    if not room():
        return 'there is no memory for a machine'
    return None


def save(root, workload):
    """What this machine keeps for the next boot, which is the other's."""
    env = {**os.environ, 'BOOT_ROOT': root, 'WORKLOAD': workload}
    subprocess.run([HERE / 'boot', 'save'], env=env, check=True, stderr=subprocess.DEVNULL)
    return env


def run(command, env):
    """What a machine printed, what was told beside it, and how it ended."""
    done = subprocess.run([HERE / 'run-in-vm', '-m', f'{room()}M', *command], text=True,
                          env={**os.environ, **env}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    return done.stdout, done.stderr, done.returncode


def boot_systemd(kernel, workload):
    return run(['-t', '240', '-k', kernel, '-i', SYSTEMD, '-b', f'{HERE}/boot unit', '--',
                HERE / 'boot', 'claim'], {'BOOT_ROOT': '', 'WORKLOAD': workload})


def boot(kernel, path, workload):
    with tempfile.TemporaryDirectory() as root:
        return run(['-t', str(SECONDS), '-d', DISK, '-k', kernel, '-b', f'{HERE}/boot early',
                    '--', sys.executable, __file__, '--inside', path, workload],
                   save(root, workload))


class Missing(Exception):
    """What a machine is made of cannot be had."""


def fetched(script, *args):
    """Where a script put what it fetched."""
    done = subprocess.run([HERE / script, *args], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise Missing((done.stderr.strip() or f'no {script}').splitlines()[-1])
    return done.stdout.strip()


def boot_other(kernel, path, workload, kernels):
    """A machine of another architecture: nothing is saved for its boot."""
    root, build = fetched('root', kernels, 'arm64'), TREE / 'build-arm64'
    subprocess.run([HERE / 'cross', build, root], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    workload = build / os.path.relpath(workload, os.environ['BUILD'])
    return run(['-t', str(SECONDS), '-d', DISK, '-k', kernel, '-r', root, '-o', TREE, '--',
                '/usr/bin/python3', __file__, '--inside', path, workload],
               {'DTRACE': str(build / 'src/cmd/dtrace'), 'BUILD': str(build)})


def boot_it(series, architecture, path, workload):
    kernels = os.environ.get('VM_KERNELS') or TREE / 'build-vm'
    kernel = fetched('kernel', series, kernels, *architecture.split())
    if path == 'systemd':
        if not os.path.exists(SYSTEMD):
            raise Missing(f'no {SYSTEMD}')
        return boot_systemd(kernel, workload)
    if name := os.environ.get('VM_LIST'):
        path = str(HERE / name)
    if architecture:
        return boot_other(kernel, path, workload, kernels)
    return boot(kernel, path, workload)


def outside(series, path, workload):
    architecture = 'arm64' if series.endswith('-arm64') else ''
    series = series.removesuffix('-arm64')
    if reason := why_not(architecture):
        return skip(reason)
    try:
        out, err, status = boot_it(series, architecture, path, workload)
    except Missing as why:
        return skip(why)
    if BEGUN not in out and path != 'systemd':
        why = err.strip() or f'the machine ended with status {status} before its list'
        return skip(why.splitlines()[-1])
    print(out, end='')
    for line in err.splitlines():
        print('# ' + line)
    if status:
        print(f'Bail out! the machine ended with status {status}')
    return status


def main():
    if sys.argv[1] == '--inside':
        return inside(*sys.argv[2:])
    return outside(*sys.argv[1:])


if __name__ == '__main__':
    sys.exit(main())
