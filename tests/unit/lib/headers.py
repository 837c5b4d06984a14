#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""headers.py HEADER: the public header by itself in every dialect it promises; TAP."""
import shutil
import subprocess
import sys

DIALECTS = [('gcc', 'c', std) for std in ('c99', 'c11', 'c17', 'c2x')] + \
           [('g++', 'c++', std) for std in ('c++98', 'c++11', 'c++20')]
bad = 0
for n, (compiler, language, std) in enumerate(DIALECTS, 1):
    if not shutil.which(compiler):
        print(f'ok {n} - {std} # SKIP no {compiler}')
        continue
    done = subprocess.run([compiler, f'-std={std}', '-Wall', '-Wextra', '-Werror', '-pedantic',
                           '-Wno-long-long', '-fsyntax-only', '-x', language, sys.argv[1]],
                          stderr=subprocess.PIPE, text=True)
    print(f"{'not ' if done.returncode else ''}ok {n} - {std}")
    for line in done.stderr.splitlines():
        print('#  ', line)
    bad += done.returncode != 0
print(f'1..{len(DIALECTS)}')
sys.exit(bool(bad))
