#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""headers.py FOLDER: the public headers, each by itself, in every dialect they promise; TAP."""
import pathlib
import shutil
import subprocess
import sys

DIALECTS = [('gcc', 'c', std) for std in ('c99', 'c11', 'c17', 'c2x')] + \
           [('g++', 'c++', std) for std in ('c++98', 'c++11', 'c++20')]
FOLDER = pathlib.Path(sys.argv[1])
NAMES = sorted(p.relative_to(FOLDER) for p in FOLDER.rglob('*.h'))
bad = 0
for n, (compiler, language, std) in enumerate(DIALECTS, 1):
    if not shutil.which(compiler):
        print(f'ok {n} - {std} # SKIP no {compiler}')
        continue
    complaints = []
    for name in NAMES:
        done = subprocess.run([compiler, f'-std={std}', '-Wall', '-Wextra', '-Werror', '-pedantic',
                               '-Wno-long-long', '-fsyntax-only', f'-I{FOLDER}', '-x', language,
                               '-'], input=f'#include "{name}"\nextern int one;\n', stderr=subprocess.PIPE, text=True)
        complaints += done.stderr.splitlines()
        if done.returncode:
            complaints.append(f'{name}: {compiler} ends with {done.returncode}')
    print(f"{'not ' if complaints else ''}ok {n} - {std}")
    for line in complaints:
        print('#  ', line)
    bad += complaints != []
print(f'1..{len(DIALECTS)}')
sys.exit(bool(bad))
