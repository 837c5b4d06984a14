#!/usr/bin/env python3
"""cross.py SOURCE BUILD: does all of src/ compile for aarch64?  TAP.

Each file is compiled as the build compiles it, by a cross compiler, and not
linked: libraries of that machine are not here, so headers of theirs are taken
from this one.  The kernel-side runtime is compiled for registers of that machine.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
CC, SYSROOT = 'aarch64-linux-gnu-gcc', '/usr/aarch64-linux-gnu/include'
WARNINGS = ['-Werror=implicit-function-declaration', '-Werror=int-conversion',
            '-Werror=incompatible-pointer-types']
# What the other machine's compiler need not know.
DROPPED = re.compile(r'-(O.|g|f(PIC|diagnostics-color.*|sanitize.*)|m.*|M[DQF])$')


def arguments(entry):
    """The compiler's, without what is about output."""
    words, keep = iter(shlex.split(entry['command'])), []
    for word in words:
        if word in ('-MQ', '-MF', '-o', '-c'):
            next(words)
        elif word.startswith('-') and not DROPPED.match(word):
            keep.append(word)
    return keep


BPF = 'src/bpfrt/rt.bpf.c', 'src/bpfrt/hold.bpf.c'


def compile_c(entry):
    command = [CC, *arguments(entry), *WARNINGS, '-O0', '-idirafter', '/usr/include',
               '-S', '-o', '/dev/null', entry['file']]
    return subprocess.run(command, cwd=entry['directory'], capture_output=True, text=True)


def compile_bpf(name):
    command = ['clang', '-g', '-O2', '-mcpu=v3', '-target', 'bpf', '-D__TARGET_ARCH_arm64',
               f'-I{SOURCE}/src', '-idirafter', SYSROOT, '-Werror', '-c',
               f'{SOURCE}/{name}', '-o', '/dev/null']
    return subprocess.run(command, capture_output=True, text=True)


def tell(number, name, result):
    print(f'{"not " if result.returncode else ""}ok {number} - {name}')
    for line in result.stderr.splitlines() if result.returncode else []:
        print('#', line)
    return result.returncode == 0


def main():
    if not shutil.which(CC) or not os.path.isdir(SYSROOT):
        print(f'1..0 # skip no {CC} with the headers of a C library here')
        return 0
    entries = json.loads((BUILD / 'compile_commands.json').read_text())
    entries = [e for e in entries if re.match(r'(\.\./)?src/', e['file'])]
    print(f'1..{len(entries) + len(BPF)}')
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(compile_c, entries))
    fine = [tell(i + 1, e['file'].removeprefix('../'), r)
            for i, (e, r) in enumerate(zip(entries, results))]
    fine += [tell(len(entries) + 1 + i, name, compile_bpf(name))
             for i, name in enumerate(BPF)]
    return 0 if all(fine) else 1


sys.exit(main())
