#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every row of ops.def, bvars.def and subrs.def stands in doc/spec/dif.md with
the same facts, and the page has no row that the tables lack."""
import re
import sys

TOP = sys.argv[1] if len(sys.argv) > 1 else "."


def def_rows(path, macro):
    """The arguments of each MACRO(...) row, comments removed."""
    text = open(f"{TOP}/src/dif/{path}", encoding="utf-8").read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return [[field.strip().strip("\"'") for field in row.split(",")]
            for row in re.findall(rf"^{macro}\((.*)\)", text, flags=re.M)]


def page_rows(title):
    """The table rows of the section whose heading has this title."""
    text = open(f"{TOP}/doc/spec/dif.md", encoding="utf-8").read()
    section = re.search(rf"^## \d+ {title}\n(.*?)(?=^## |\Z)", text,
                        flags=re.M | re.S).group(1)
    rows = []
    for line in section.splitlines():
        if line.startswith("| ") and line[2].isdigit():
            cells = re.split(r"(?<!\\)\|", line.strip("| "))
            rows.append([c.strip().replace("\\|", "|") for c in cells])
    return rows


def expected():
    yield ("Instructions",
           [(int(no), name, fmt) for _, name, no, fmt in def_rows("ops.def", "OP")],
           lambda row: (int(row[0]), row[1], row[2]))
    yield ("Variables",
           [(int(no, 16), name, int(size))
            for _, name, no, size in def_rows("bvars.def", "BVAR")],
           lambda row: (int(row[0], 16), row[1], int(row[2])))
    yield ("Subroutines",
           [(int(no), name, args, ret)
            for _, name, no, args, ret in def_rows("subrs.def", "SUBR")],
           lambda row: (int(row[0]), row[1], row[2], row[3]))


def main():
    n = failed = 0
    for title, want, key in expected():
        have = [key(row) for row in page_rows(title)]
        for ok, text in [(len(want) > 0, f"{title}: the table is not empty")] + \
                [(row in have, f"{title}: {row} stands on the page") for row in want] + \
                [(row in want, f"{title}: {row} stands in the table") for row in have] + \
                [(have == want, f"{title}: same rows in the same order")]:
            n += 1
            failed += not ok
            print(f"{'ok' if ok else 'not ok'} {n} - {text}")
    print(f"1..{n}")
    return failed != 0


sys.exit(main())
