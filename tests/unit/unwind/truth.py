"""truth.py ROWS: for files of this system, every row of their unwinding tables is
what readelf says of its address, and every row that readelf has is there."""
import bisect
import glob
import os
import re
import shutil
import subprocess
import sys

FILES = ['libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2', 'libstdc++.so.6',
         'libcrypto.so.3', 'libgcc_s.so.1', 'libelf.so.1', 'libpython3.*.so.1.0']
PROGRAMS = ['/bin/bash', '/usr/bin/python3', '/usr/bin/ld', '/usr/bin/gdb']
FRAME, STOP, SP, FP, DEREF, PLT, SP_DEREF, SIGNAL = range(8)
ROW = re.compile(r'[0-9a-f]{16}$')
FDE = re.compile(r'FDE .*cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)')


def paths():
    for name in FILES:
        for folder in '/lib/x86_64-linux-gnu', '/lib64', '/usr/lib64':
            found = glob.glob(f'{folder}/{name}')
            if found:
                yield os.path.realpath(found[0])
                break
    for path in PROGRAMS:
        if os.path.exists(path):
            yield os.path.realpath(path)


def readelf(path):
    """Of each address where something changes: (CFA, rbp, ra), None: no function."""
    out = subprocess.run(['readelf', '--debug-dump=frames-interp', path],
                         capture_output=True, text=True).stdout
    rows, ends, cies, cie, names, fde = {}, set(), {}, None, None, None
    part = out.split('Contents of the .debug_frame')[0]
    for line in part.splitlines():
        words = re.sub(r' \(\w+\)', '', line).split()
        if ' CIE ' in line:
            cie, fde, names = words[0], None, None
            cies[cie] = None
        elif m := FDE.search(line):
            fde = int(m[2], 16), int(m[3], 16)
            names = None
            if fde[0] and fde[1] > fde[0]:
                ends.add(fde[1])
                rows[fde[0]] = cies[m[1].zfill(len(cie))]
        elif words[:1] == ['LOC']:
            names = words[1:]
        elif names and words and ROW.match(words[0]) and len(words) > 2:
            row = dict(zip(names, words[1:]))
            row = row['CFA'], row.get('rbp', 'u'), row['ra']
            if fde is None:
                cies[cie] = row
            elif fde[0]:
                rows[int(words[0], 16)] = row
    for end in ends:
        rows.setdefault(end, None)
    return rows


def expected(row):
    """The rule for it; 'exp' where readelf does not say which expression."""
    if row is None:
        return FRAME, 0, 0
    cfa, rbp, ra = row
    if ra == 'u':
        return STOP, 0, 0
    if cfa == 'exp':
        return 'exp'
    reg, off = cfa.split('+') if '+' in cfa else (cfa, '0')
    off = int(off)
    if rbp not in ('u', 's') and not rbp.startswith('c-'):
        return FRAME, 0, 0
    if reg not in ('rsp', 'rbp') or off % 8 or ra != 'c-8':
        return FRAME, 0, 0
    saved = int(rbp[2:]) // 8 if rbp.startswith('c-') else 0
    return SP if reg == 'rsp' else FP, off // 8, saved


def ours(rows, path):
    lines = subprocess.run([rows, path], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    table = []
    for line in lines[:-1]:
        pc, what, n, saved = line.split()
        table.append((int(pc, 16), (int(what), int(n), int(saved))))
    return table, lines[-1]


def compare(table, truth):
    """Complaints."""
    at = [pc for pc, _ in table]
    for pc in sorted(truth.keys() | set(at)):
        i = bisect.bisect_right(at, pc) - 1
        got = table[i][1] if i >= 0 else (FRAME, 0, 0)
        if pc not in truth:
            yield f'{pc:x}: a row {got} of our own'
            continue
        want = expected(truth[pc])
        if want == 'exp' and got[0] in (DEREF, PLT, SP_DEREF, SIGNAL, FRAME):
            continue
        if got != want:
            yield f'{pc:x}: {got}, not {want} ({truth[pc]})'


def main():
    if not shutil.which('readelf'):
        print('1..0 # skip readelf is not installed')
        return
    found = list(paths())
    print(f'1..{len(found)}')
    for number, path in enumerate(found, 1):
        table, summary = ours(sys.argv[1], path)
        wrong = list(compare(table, readelf(path)))
        print(f'{"not " if wrong or not table else ""}ok {number} - '
              f'{os.path.basename(path)}: {summary}')
        for line in wrong[:10]:
            print(f'# {line}')


if __name__ == '__main__':
    main()
