#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""An archive may need from outside only what a freestanding C has, and what
the archives given with it define."""
import re
import subprocess
import sys

ALLOWED = {"memcpy", "memmove", "memset", "memcmp", "_GLOBAL_OFFSET_TABLE_",
           "__stack_chk_fail"}


def symbols(archive):
    """The names an archive defines and the names it needs."""
    defined, needed = set(), set()
    out = subprocess.run(["nm", "-P", archive], check=True, text=True,
                         capture_output=True).stdout
    for line in out.splitlines():
        fields = line.split()
        if len(fields) >= 2 and len(fields[1]) == 1:
            # A compiler that looks for overflows by itself calls __memcpy_chk.
            name = re.sub(r"^__(mem\w+)_chk$", r"\1", fields[0])
            (needed if fields[1] == "U" else defined).add(name)
    return defined, needed


defined, needed = set(), set()
for archive in sys.argv[1:]:
    d, n = symbols(archive)
    defined |= d
    needed |= n
extra = sorted(needed - defined - ALLOWED)
print("1..2")
print(f"{'ok' if defined else 'not ok'} 1 - the archives define symbols")
print(f"{'not ok' if extra else 'ok'} 2 - nothing else is needed {' '.join(extra)}")
sys.exit(bool(extra) or not defined)
