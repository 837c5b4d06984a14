#!/usr/bin/env python3
"""guide.py FILE...: run the examples of the documents; TAP.

A block ```d NAME or ```c NAME is a script or program, written to that name.  A block ```console begins
with `# COMMAND`.  It must succeed and print something; with `exact`, its standard
output must be what follows; with `fails`, it must fail and say something."""
import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from run import why_not

BLOCK = re.compile(r'^```(c|d|console)\b *(\S*)\n(.*?)^```$', re.M | re.S)


def run(command, directory):
    env = {**os.environ,
           'PATH': str(pathlib.Path(os.environ['DTRACE']).parent) + ':'
           + os.environ['PATH']}
    try:
        return subprocess.run(['bash', '-c', command], cwd=directory, env=env,
                              stdin=subprocess.DEVNULL, text=True, timeout=30,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, '', 'no end')


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
        yield from difflib.unified_diff(wanted.splitlines(),
                                        done.stdout.splitlines(), lineterm='')
    elif not (done.stderr if mode == 'fails' else done.stdout).strip() \
            and not done.stderr:
        yield 'printed nothing'


def main():
    if reason := why_not():
        print(f'1..0 # SKIP {reason}')
        return 0
    load = busy()
    try:
        number, bad = examples()
    finally:
        os.killpg(load.pid, signal.SIGKILL)
        load.wait()
    print(f'1..{number}')
    return bool(bad)


def examples():
    number = bad = 0
    with tempfile.TemporaryDirectory(prefix='guide-') as directory:
        for path in map(pathlib.Path, sys.argv[1:]):
            for kind, word, body in BLOCK.findall(path.read_text()):
                if kind != 'console':
                    if word:
                        (pathlib.Path(directory) / word).write_text(body)
                    continue
                first, _, wanted = body.partition('\n')
                command = first.removeprefix('# ')
                while command.count("'") % 2 and wanted:    # it goes on
                    more, _, wanted = wanted.partition('\n')
                    command += '\n' + more
                lines = list(complaints(word, run(command, directory), wanted))
                number += 1
                print(f"{'not ' if lines else ''}ok {number} - {path.name}:"
                      f" {first.replace('#', '')}", flush=True)
                for line in lines:
                    print('#  ', line)
                bad += bool(lines)
    return number, bad


if __name__ == '__main__':
    sys.exit(main())
