#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""narrow.py LAYOUTS: where functions of a program of 32 bits have their parameters: one that
nobody else calls has them where its compiler likes; TAP."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Each says where its parameters are as the compiler would; no library is needed.
SOURCE = '''
#define OWN static __attribute__((noinline, noclone))
#define REGISTERS(n) __attribute__((regparm(n)))
OWN REGISTERS(3) int three(int a, int b, int c, int d) { return a * b - c * d; }
OWN REGISTERS(2) int two(int a, int b, int c) { return a * b - c; }
OWN REGISTERS(3) int wide(long long w, int b, int c) { return (int)(w >> 3) * b - c; }
__attribute__((noinline, noclone)) int open_to_all(int a, int b) { return a * b; }
int _start(int a, int b)
{
	return three(a, b, 3, 4) + two(b, a, 5) + wide((long long)a * b, 6, 7) + open_to_all(a, 8);
}
'''
# 1 + the number of the register: eax 0, ecx 1, edx 2.
WANTED = {
    'three': 'a 1, b 3, c 2, d 0', 'two': 'a 1, b 3, c 0', 'wide': 'w 0, b 2, c 0',
    'open_to_all': 'a 0, b 0',
}
tool = sys.argv[1]
compiler = shutil.which('gcc')
with tempfile.TemporaryDirectory() as folder:
    source, program = pathlib.Path(folder, 'n.c'), pathlib.Path(folder, 'n')
    source.write_text(SOURCE)
    made = compiler and subprocess.run(
        [compiler, '-m32', '-g', '-O2', '-nostdlib', '-static', '-fno-pie', '-no-pie',
         '-ffreestanding', '-o', program, source], capture_output=True).returncode == 0
    if not made or not shutil.which('nm'):
        print('1..0 # skip no compiler for programs of 32 bits')
        sys.exit()
    at = {words[2]: words[0] for words in map(str.split, subprocess.run(
        ['nm', program], capture_output=True, text=True).stdout.splitlines())}
    got = subprocess.run([tool, program, *('@' + at[name] for name in WANTED)],
                         capture_output=True, text=True).stdout.splitlines()
print(f'1..{len(WANTED)}')
for number, (name, wanted) in enumerate(WANTED.items()):
    line = got[number] if number < len(got) else 'nothing'
    print('ok' if line == wanted else 'not ok', number + 1, '-', name)
    if line != wanted:
        print(f'# {line}, not {wanted}')
