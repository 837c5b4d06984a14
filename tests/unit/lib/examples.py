#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""examples.py FOLDER INCLUDE CALLS OPENS: do the examples run, and compile as C++?  TAP."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER, INCLUDE, CALLS, OPENS = map(pathlib.Path, sys.argv[1:])
number = bad = 0


def ok(good, name, *why, skip=''):
    global number, bad
    number += 1
    bad += not good
    print(f"{'' if good else 'not '}ok {number} - {name}" + (skip and f' # SKIP {skip}'))
    for text in why if not good else ():
        for line in text.splitlines():
            print('#  ', line)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, 'LC_ALL': 'C'}, timeout=50)


def compile_all():
    for path in sorted(FOLDER.glob('*.c')):
        for compiler, *flags in (['gcc', '-std=c99', '-xc'], ['g++', '-std=c++11', '-xc++']):
            name = f'{path.name} with {compiler}'
            if not shutil.which(compiler):
                ok(True, name, skip=f'no {compiler}')
                continue
            done = run(compiler, *flags, '-Wall', '-Wextra', '-Wno-unused-parameter', '-Werror',
                       '-pedantic', '-fsyntax-only', f'-I{INCLUDE}', path)
            ok(not done.returncode, name, done.stderr)


def trace():
    done = run(CALLS, 'sh', '-c', 'exit 3')
    counts = re.findall(r'^ *(\d+) (\w+)$', done.stdout, re.M)
    ok('it ends with 3\n' in done.stdout and ('1', 'exit_group') in counts and
       len(counts) + 1 == len(done.stdout.splitlines()) and
       counts == sorted(counts, key=lambda c: -int(c[0])),
       'the classic order', done.stdout, done.stderr)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b'x' * 1500)
        file.flush()
        done = run(OPENS, 'sh', '-c', f'cat {file.name} > /dev/null; cat {file.name}.not 2>&1')
        lines = [line.split() for line in done.stdout.splitlines()]
        ok(['cat', 'yes', file.name] in lines and ['cat', 'no', file.name + '.not'] in lines,
           'events as they come', done.stdout, done.stderr)
        ok('    1024 to 2047 bytes: 1 times\n' in done.stdout.partition('\ncat:\n')[2],
           'buckets of an aggregation', done.stdout)
    ok(re.fullmatch(r'opens: pid \d+ exited with status 1\n', done.stderr),
       'the end of the command', done.stderr)


def main():
    lines = len((FOLDER / 'calls.c').read_text().splitlines())
    ok(lines <= 60, f'calls.c has {lines} lines')
    compile_all()
    if os.geteuid():
        ok(True, 'tracing', skip='needs root')
    else:
        trace()
    print(f'1..{number}')
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
