"""truth.py ROWS: for files of this system, also those of 32 bits, and of a cross compiler for aarch64, every
row of their unwinding tables is what readelf says of its address, and every row that
readelf has is there."""
import bisect
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

FILES = ['libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2', 'libstdc++.so.6',
         'libcrypto.so.3', 'libgcc_s.so.1', 'libelf.so.1', 'libpython3.*.so.1.0']
PROGRAMS = ['/bin/bash', '/usr/bin/python3', '/usr/bin/ld', '/usr/bin/gdb']
NARROW = '/lib32'
NARROW_FILES = ['libc.so.6', 'libm.so.6', 'ld-linux.so.2', 'libgcc_s.so.1']
CROSS = '/usr/aarch64-linux-gnu/lib'
CROSS_FILES = ['libc.so.6', 'ld-linux-aarch64.so.1', 'libm.so.6', 'libstdc++.so.6', 'libgcc_s.so.1']
CROSS_CC = 'aarch64-linux-gnu-gcc'
# The frame is found by a register, the return address is signed or saved alone.
CROSS_FLAGS = [['-O0'], ['-O2', '-mbranch-protection=standard'], ['-O2', '-fomit-frame-pointer']]
CROSS_TEXT = """int g(void *);
int more(int x) { char *p = __builtin_alloca(x); return g(p) + 1; }
int call(int x) { return g(&x) + x; }
int deep(int x) { char a[70000]; return g(a) + x; }
"""
MOST = (1 << 14) - 1      # words that a rule has room for
FRAME, STOP, SP, FP, DEREF, PLT, SP_DEREF, SIGNAL, SP_RA, FP_RA = range(10)
NAMES = {'x86_64': ('rsp', 'rbp'), 'aarch64': ('sp', 'x29'), 'i386': ('esp', 'ebp')}
MACHINES = {183: 'aarch64', 3: 'i386', 62: 'x86_64'}
ROW = re.compile(r'([0-9a-f]{8}){1,2}$')
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
    for name in NARROW_FILES:
        if os.path.exists(f'{NARROW}/{name}'):
            yield os.path.realpath(f'{NARROW}/{name}')
    for name in CROSS_FILES:
        if os.path.exists(f'{CROSS}/{name}'):
            yield f'{CROSS}/{name}'


def compiled(folder):
    """Programs of that machine, if it has a compiler here."""
    for number, flags in enumerate(CROSS_FLAGS if shutil.which(CROSS_CC) else []):
        path = f'{folder}/cross{number}.so'
        subprocess.run([CROSS_CC, *flags, '-nostdlib', '-shared', '-fPIC', '-x', 'c',
                        '-o', path, '-'], input=CROSS_TEXT, text=True, check=True)
        yield path


def machine_of(path):
    with open(path, 'rb') as f:
        return MACHINES[f.read(20)[18]]


def readelf(path, fp):
    """Of each address where something changes: (CFA, fp, ra), None: no function."""
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
        elif names and len(words) > 1 and ROW.match(words[0]) and words[1] != 'ZERO':
            row = dict(zip(names, words[1:]))
            row = row['CFA'], row.get(fp, 'u'), row.get('ra', 'u')
            if fde is None:
                cies[cie] = row
            elif fde[0] and int(words[0], 16) < fde[1]:     # it may tell of no byte
                rows[int(words[0], 16)] = row
    for end in ends:
        rows.setdefault(end, None)
    return rows


def offset(where, word):
    """Words below the CFA, 0: it is kept; None: it is elsewhere."""
    if where in ('u', 's'):
        return 0
    return int(where[2:]) // word if where.startswith('c-') else None


def word_of(machine):
    return 4 if machine == 'i386' else 8


def saved_of(fp, ra, machine):
    """Where what is saved, and whether that is the return address alone; None: this cannot
    be said."""
    fp, above = (offset(where, word_of(machine)) for where in (fp, ra))
    if fp is None or above is None:
        return None
    if machine != 'aarch64':
        return (fp, False) if ra == f'c-{word_of(machine)}' else None
    if not fp:
        return above, above > 0
    return (fp, False) if above == fp - 1 else None


def expected(row, machine):
    """The rule for it; 'exp' where readelf does not say which expression."""
    if row is None:
        return FRAME, 0, 0
    cfa, fp, ra = row
    if ra == 'u' and machine != 'aarch64':
        return STOP, 0, 0
    if cfa == 'exp':
        return 'exp'
    reg, off = cfa.split('+') if '+' in cfa else (cfa, '0')
    off = int(off)
    saved = saved_of(fp, ra, machine)
    if saved is None or reg not in NAMES[machine] or off % word_of(machine) or \
            off // word_of(machine) > MOST:
        return FRAME, 0, 0
    by_sp = reg == NAMES[machine][0]
    if saved[1]:
        return SP_RA if by_sp else FP_RA, off // 8, saved[0]
    return SP if by_sp else FP, off // word_of(machine), saved[0]


def ours(rows, path):
    lines = subprocess.run([rows, path], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    table = []
    for line in lines[:-1]:
        pc, what, n, saved = line.split()
        table.append((int(pc, 16), (int(what), int(n), int(saved))))
    return table, lines[-1]


def compare(table, truth, machine):
    """Complaints."""
    at = [pc for pc, _ in table]
    for pc in sorted(truth.keys() | set(at)):
        i = bisect.bisect_right(at, pc) - 1
        got = table[i][1] if i >= 0 else (FRAME, 0, 0)
        if pc not in truth:
            yield f'{pc:x}: a row {got} of our own'
            continue
        want = expected(truth[pc], machine)
        # it writes the same for what is undefined and what is nowhere
        if machine == 'aarch64' and got[0] == STOP and truth[pc] and truth[pc][2] == 'u':
            continue
        if want == 'exp' and got[0] in (DEREF, PLT, SP_DEREF, SIGNAL, FRAME):
            continue
        if got != want:
            yield f'{pc:x}: {got}, not {want} ({truth[pc]})'


def check(number, path, rows):
    machine = machine_of(path)
    table, summary = ours(rows, path)
    wrong = list(compare(table, readelf(path, NAMES[machine][1]), machine))
    print(f'{"not " if wrong or not table else ""}ok {number} - '
          f'{os.path.basename(path)} of {machine}: {summary}')
    for line in wrong[:10]:
        print(f'# {line}')


def main():
    if not shutil.which('readelf'):
        print('1..0 # skip readelf is not installed')
        return
    with tempfile.TemporaryDirectory() as folder:
        found = [*paths(), *compiled(folder)]
        print(f'1..{len(found)}')
        for number, path in enumerate(found, 1):
            check(number, path, sys.argv[1])


if __name__ == '__main__':
    main()
