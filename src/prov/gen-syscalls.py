#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write the table of system calls of the machine we compile for.

usage: gen-syscalls.py OUT NEWER.def CC [CFLAGS...]

The names and numbers come from the system's headers through the C compiler:
<asm/unistd_64.h> with <asm/unistd_32.h> on x86, <asm/unistd.h> elsewhere.
NEWER.def adds what old headers lack (x86 only).  Rows of OUT are
SYSCALL(name, native number, 32-bit number), -1 where there is none, in the
order of the native number, then those with a 32-bit number only.
"""
import re
import subprocess
import sys


def preprocess(cc, text, *flags):
    return subprocess.run(cc + ["-E", "-P", *flags, "-xc", "-"], input=text,
                          stdout=subprocess.PIPE, text=True, check=True).stdout


def numbers(cc, header):
    """{name: number} of the __NR_ macros of a header."""
    include = f"#include <asm/{header}>\n"
    macros = preprocess(cc, include, "-dM")
    names = re.findall(r"^#define __NR_([a-z_]\w*) ", macros, re.M)
    rows = include + "".join(f"ROW {n} = __NR_{n}\n" for n in names)
    found = {}
    for name, value in re.findall(r"^ROW (\w+) = (.*)$",
                                  preprocess(cc, rows), re.M):
        if re.fullmatch(r"[\d\s()+x]+", value):
            found[name] = eval(value)  # digits, sums and brackets only
    # Markers rather than calls.
    for marker in ("syscalls", "arch_specific_syscall"):
        found.pop(marker, None)
    return found


def add_newer(path, native, compat):
    with open(path, encoding="utf-8") as f:
        rows = re.findall(r"^SYSCALL\((\w+), (-?\d+), (-?\d+)\)", f.read(),
                          re.M)
    for name, nr64, nr32 in rows:
        for table, nr in ((native, int(nr64)), (compat, int(nr32))):
            if nr >= 0 and nr not in table.values():
                table.setdefault(name, nr)


def main():
    out, newer, *cc = sys.argv[1:]
    if "__x86_64__" in preprocess(cc, "", "-dM"):
        native, compat = numbers(cc, "unistd_64.h"), numbers(cc, "unistd_32.h")
        add_newer(newer, native, compat)
    else:
        native, compat = numbers(cc, "unistd.h"), {}
    order = sorted(native, key=native.get)
    order += sorted(set(compat) - set(native), key=compat.get)
    nnative = max(native.values()) + 1
    with open(out, "w", encoding="utf-8") as f:
        f.write("/* Made by gen-syscalls.py. */\n"
                f"#define PROV_NSYSCALLS {len(order)}\n"
                f"#define PROV_NNATIVE {nnative}\n"
                f"#define PROV_NCOMPAT {max(compat.values(), default=-1) + 1}\n"
                "#ifdef SYSCALL\n")
        for name in order:
            f.write(f"SYSCALL({name}, {native.get(name, -1)}, "
                    f"{compat.get(name, -1)})\n")
        f.write("#endif\n")


main()
