#!/usr/bin/env python3
"""guide.py [--only EXPRESSION] [--skip EXPRESSION KERNELS REASON] FILE...: run the examples
of the documents, or those with a command that has something EXPRESSION matches; TAP.
Skipped are those of --skip under kernels of whose release KERNELS matches the beginning.

A block ```d NAME or ```c NAME is a script or program, written to that name.  A block
```console begins with `# COMMAND`, and may have more of them.  Each must succeed and print
something; with `exact`, its standard output must be what follows; with `complains`, it
must say something on standard error; with `fails`, it must fail, too.  A command has 30
seconds, and as many times that as $E2E_SLOW and $PATIENCE say (run.py).  The examples run
on $E2E_DISK if there is one (run.py): what /tmp has need not reach a disk."""
import argparse
import contextlib
import difflib
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from run import why_not

SECONDS = 30 * math.prod(int(os.environ.get(name, 1)) for name in ('E2E_SLOW', 'PATIENCE'))
BLOCK = re.compile(r'^```(c|d|console)\b *(\S*)\n(.*?)^```$', re.M | re.S)


def run(command, directory):
    env = {**os.environ,
           'PATH': str(pathlib.Path(os.environ['DTRACE']).parent) + ':'
           + os.environ['PATH']}
    try:
        return subprocess.run(['bash', '-c', command], cwd=directory, env=env,
                              stdin=subprocess.DEVNULL, text=True, timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, '', f'no end in {SECONDS} s')


@contextlib.contextmanager
def room():
    """A folder for the examples."""
    with tempfile.TemporaryDirectory(prefix='guide-') as directory:
        disk = os.environ.get('E2E_DISK')
        if not disk:
            yield directory
            return
        # Not up to $E2E_BAD_SECTOR.
        subprocess.run(['mkfs.ext4', '-qF', disk, '150M'], check=True)
        subprocess.run(['mount', disk, directory], check=True)
        try:
            yield directory
        finally:
            subprocess.run(['umount', '-l', directory], check=True)


def busy():
    """A program that reads and writes, so that a quiet machine has something
    to show."""
    return subprocess.Popen(['sh', '-c', 'while :; do dd if=/dev/zero of=/dev/null '
                             'bs=4k count=50 status=none; sleep 0.05; done'],
                            start_new_session=True)


def complaints(mode, done, wanted):
    if (done.returncode != 0) != (mode == 'fails'):
        yield f'exit status {done.returncode}: {done.stderr}'
    if mode == 'exact':
        yield from difflib.unified_diff(wanted,
                                        done.stdout.splitlines(), lineterm='')
    elif not (done.stderr if mode in ('fails', 'complains') else done.stdout).strip():
        yield 'printed nothing'


def commands(body):
    """Of a block: pairs of a command and the lines that are shown behind it."""
    lines = body.splitlines()
    while lines:
        command = lines.pop(0).removeprefix('# ')
        while command.count("'") % 2 and lines:     # it goes on
            command += '\n' + lines.pop(0)
        n = next((i for i, line in enumerate(lines) if line.startswith('# ')), len(lines))
        yield command, lines[:n]
        del lines[:n]


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--only', type=re.compile, default=re.compile(''))
    options.add_argument('--skip', action='append', nargs=3, default=[])
    options.add_argument('files', nargs='+', type=pathlib.Path)
    options = options.parse_args()
    if reason := why_not():
        print(f'1..0 # SKIP {reason}')
        return 0
    load = busy()
    try:
        number, bad = examples(options)
    finally:
        os.killpg(load.pid, signal.SIGKILL)
        load.wait()
    if not number:
        number = bad = 1
        print('not ok 1 - no command has what was asked for')
    print(f'1..{number}')
    return bool(bad)


def examples(options):
    number = bad = 0
    with room() as directory:
        for path in options.files:
            for kind, word, body in BLOCK.findall(path.read_text()):
                if kind != 'console':
                    if word:
                        (pathlib.Path(directory) / word).write_text(body)
                    continue
                for command, wanted in commands(body):
                    if not options.only.search(command):
                        continue
                    number += 1
                    title = f'{path.name}: ' + command.splitlines()[0].replace('#', '')
                    if why := [w for what, kernels, w in options.skip if re.search(what, command)
                               and re.match(kernels, os.uname().release)]:
                        print(f'ok {number} - {title} # SKIP {why[0]}', flush=True)
                        continue
                    lines = list(complaints(word, run(command, directory), wanted))
                    print(f"{'not ' if lines else ''}ok {number} - {title}", flush=True)
                    for line in lines:
                        print('#  ', line)
                    bad += bool(lines)
    return number, bad


if __name__ == '__main__':
    sys.exit(main())
