#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""walk.py WALK: functions and sections of files, as walk.c tells them, compared with what readelf
says of the same files; TAP.  The files are made here, in the ways there are to link and to strip."""
import collections
import os
import pathlib
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import tap  # noqa: E402
from tap import say, skip  # noqa: E402

WALK = sys.argv[1]
SOURCE = '''
#include <stdlib.h>
#include <string.h>
int shared(int x) { return x + 1; }
int also(int x) __attribute__((alias("shared")));
int weakly(int x) __attribute__((weak, alias("shared")));
int __hidden_name(int x) __attribute__((alias("shared")));
__attribute__((noinline)) static int quiet(int x) { return x * 3 + getenv("A")[0]; }
static int one(int x) { return x; }
static int (*choose(void))(int) { return one; }
int chosen(int x) __attribute__((ifunc("choose")));
__attribute__((section(".text.cold"))) int cold(int x) { return quiet(x); }
int variable = 4;
__asm__(".pushsection .plt.own,\\"ax\\",@progbits\\n.type way_to_another,@function\\n"
	"way_to_another: ret\\n.size way_to_another, 1\\n.popsection\\n"
	".pushsection .iplt.own,\\"ax\\",@progbits\\n.type another_way,@function\\n"
	"another_way: ret\\n.size another_way, 1\\n.popsection");
#ifdef LIBRARY
__asm__(".symver old_shared, versioned@V1\\n.symver new_shared, versioned@@V2");
int old_shared(int x) { return x; }
int new_shared(int x) { return x + 2; }
#else
int main(int n, char **v) { return shared(n) + quiet(n) + (int)strlen(v[0]) + chosen(n); }
#endif
'''
NOTES = '''
	.section .note.stapsdt,"","note"
	.4byte 8, 4, 3
	.asciz "stapsdt"
	.4byte 0x11223344
	.section .stapsdt.base,"aG","progbits",.stapsdt.base,comdat
_.stapsdt.base: .space 1
	.section .note.GNU-stack,"",@progbits
'''

def run(*args, **more):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def out(*args):
    done = run(*args)
    if done.returncode:
        raise SystemExit(f"Bail out! {' '.join(map(str, args))}: {done.stderr.decode()}")
    return done.stdout.decode()


def sections(path):
    """(name, type, address, offset, size, flags) by number."""
    found = {}
    for line in out('readelf', '-WS', path).splitlines():
        m = re.match(r'\s*\[\s*(\d+)\] (\S+)\s+(\S+)\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) \S+\s+'
                     r'([A-Z]*)\s', line)
        if m:
            found[int(m[1])] = (m[2], m[3], int(m[4], 16), int(m[5], 16), int(m[6], 16), m[7])
    return found


def wanted(path, code=None):
    """What readelf says: {(value, name): (size, binding, type, offset)}.  code: the file that has
    the code, if it is another."""
    known, found = sections(path), {}
    places = sections(code or path)
    relocatable = 'REL (' in out('readelf', '-h', path)
    for line in out('readelf', '-Ws', path).splitlines():
        m = re.match(r'\s*\d+: ([0-9a-f]+)\s+(0x[0-9a-f]+|\d+) (FUNC|IFUNC)\s+(\w+)\s+\w+\s+(?:\[.*?\]\s+)?(\d+) '
                     r'(\S+)', line)
        if not m or known[int(m[5])][0].startswith(('.plt', '.iplt')):
            continue
        value, section = int(m[1], 16), places[int(m[5])]
        if 'X' not in section[5]:
            continue
        offset = section[3] + (value if relocatable else value - section[2])
        name = m[6].split('@')[0]
        key, old = (value, name), found.get((value, name))
        if not old or old[1] == 'LOCAL':
            found[key] = (int(m[2], 0), m[4], m[3], offset)
    return found


def with_debug(path):
    """The same with what the file says that has its debugging information, if that is installed."""
    build = re.search(r'Build ID: (..)(\S+)', out('readelf', '-n', path))
    debug = build and pathlib.Path(f'/usr/lib/debug/.build-id/{build[1]}/{build[2]}.debug')
    found = wanted(path)
    if debug and debug.exists() and '.symtab' not in out('readelf', '-WS', path):
        for key, value in wanted(debug, path).items():
            found.setdefault(key, value)
    return found


def told(path):
    """What walk says, in the same form; and where the first at each place is."""
    done = run(WALK, path)
    found, order = {}, []
    for line in done.stdout.decode().splitlines():
        value, size, offset, bind, kind, alias, name = line.split(' ', 6)
        found[int(value, 16), name] = int(size), bind, kind, int(offset, 16)
        order.append((int(offset, 16), alias, name))
    return found, order, done.stderr.decode().strip()


def compare(what, path, want=None):
    want = wanted(path) if want is None else want
    got, order, err = told(path)
    wrong = [f'{k} {want.get(k)} {got.get(k)}' for k in sorted(want.keys() | got.keys())
             if want.get(k) != got.get(k)]
    say(not wrong and not err and len(order) == len(got), f'{what}: {len(want)} functions', err,
        *wrong[:20])
    offsets = [o for o, _, _ in order]
    first = collections.Counter(o for o, alias, _ in order if alias == 'first')
    say(offsets == sorted(offsets) and set(first) == set(offsets) and set(first.values()) <= {1},
        f'{what}: in order, one first name for each place')
    return got, order


def asked(what, path, step):
    """Of some places in functions, at their beginnings, within and behind them, the functions that
    hold them."""
    whole = run(WALK, path).stdout.decode().splitlines()
    spans = [(int(line.split()[2], 16), int(line.split()[1])) for line in whole]
    places = sorted({o + d for o, n in spans[::step] for d in (0, n // 2, n)})[:250]
    want = [line for line, (o, n) in zip(whole, spans) if any(o <= p < o + n for p in places)]
    got = run(WALK, path, ''.join(f',{p:x}' for p in places).replace(',', '@', 1)).stdout.decode().splitlines()
    say(got == want and 0 < len(want) < len(whole), f'{what}: {len(want)} of {len(whole)} are asked for',
        *sorted(set(got) ^ set(want))[:20])


def names(got):
    return {name for _, name in got}


def main(folder):
    source, notes = folder / 'a.c', folder / 'notes.s'
    source.write_text(SOURCE)
    notes.write_text(NOTES)
    files = {}
    for name, flags in {'pie': ['-pie', '-fPIE'], 'fixed': ['-no-pie', '-fno-pie'],
                        'static': ['-static', '-no-pie'], 'static-pie': ['-static-pie', '-fPIE'],
                        'library': ['-shared', '-fPIC', '-DLIBRARY',
                                    f'-Wl,--version-script={folder}/versions'],
                        'relocatable': ['-c', '-ffunction-sections'],
                        'together': ['-pie', '-fPIE', '-Wl,-z,noseparate-code'],
                        'apart': ['-pie', '-fPIE', '-Wl,-z,separate-code', '-Wl,-z,max-page-size=0x200000'],
                        }.items():
        (folder / 'versions').write_text('V1 { global: *; }; V2 { global: versioned; } V1;')
        files[name] = folder / name
        inputs = [source] if name == 'relocatable' else [source, notes]
        out('gcc', '-O1', '-fno-inline', *flags, *inputs, '-o', files[name])
        got, order = compare(name, files[name])
        need = {'shared', 'also', 'weakly', 'quiet', 'cold', 'chosen'}
        say(need <= names(got) and not names(got) & {'variable', 'way_to_another', 'another_way'},
            f'{name}: has what was written, and nothing else', *(need - names(got)))
        symbols = out('readelf', '-Ws', files[name])
        say('way_to_another' in symbols and 'another_way' in symbols, f'{name}: has a PLT of its own')
        at = {n: (o, alias) for o, alias, n in order}
        say(len({at[n][0] for n in ('shared', 'also', 'weakly', '__hidden_name')}) == 1 and
            at['also'][1] == 'first' and
            {at[n][1] for n in ('shared', 'weakly', '__hidden_name')} == {'alias'},
            f'{name}: four names of one function')
    got, _ = told(files['library'])[:2]
    say(len([1 for _, n in got if n == 'versioned']) == 2, 'two versions of one name', *names(got))

    twins(folder)
    for name in ('pie', 'fixed', 'library', 'static'):
        bare = folder / (name + '-bare')
        out('strip', '-o', bare, files[name])
        compare(bare.name, bare)
    say('quiet' not in names(told(folder / 'library-bare')[0]), 'strip has taken something away')
    mini(folder, files)
    libc = pathlib.Path(re.search(r'=> (/\S*libc\.so\S*)', out('ldd', '/bin/ls'))[1])
    compare('libc', libc, with_debug(libc))
    # what lies apart is left there
    build = bytes.fromhex(re.search(r'Build ID: (\S+)', out('readelf', '-n', libc))[1])
    (folder / 'libc').write_bytes(libc.read_bytes().replace(build, bytes(len(build))))
    compare('libc with another build id', folder / 'libc')
    asked('libc', folder / 'libc', 40)
    for name in ('pie', 'relocatable', 'apart'):
        asked(name, folder / name, 3)
    parts(files)
    hostile(folder, files)


def twins(folder):
    """One name twice, at the start of two sections of a file that is not linked."""
    made = []
    for n in '12':
        (folder / f't{n}.s').write_text(f'.section .text.t{n},"ax"\n.type twin,@function\n'
                                        'twin: ret\n.size twin, 1\n')
        out('gcc', '-c', folder / f't{n}.s', '-o', folder / f't{n}.o')
        made.append(folder / f't{n}.o')
    out('ld', '-r', '--unique', *made, '-o', folder / 'twins.o')
    order = told(folder / 'twins.o')[1]
    known = {s[0]: s[3] for s in sections(folder / 'twins.o').values()}
    say(order == [(o, 'first', 'twin') for o in sorted((known['.text.t1'], known['.text.t2']))],
        'two functions of one name', *order)


def mini(folder, files):
    """As distributions make it: a symbol table of what .dynsym has not, in the stripped file."""
    if not shutil.which('xz'):
        skip('.gnu_debugdata', 'no xz')
        return
    for name in ('pie', 'fixed', 'library'):
        whole, bare, small = files[name], folder / (name + '-mini'), folder / 'small'
        out('objcopy', '--only-keep-debug', whole, small)
        out('objcopy', '-S', '--remove-section', '.comment', '--keep-symbol=quiet',
            '--keep-symbol=one', small)
        out('xz', '-f', small)
        out('strip', '-o', bare, whole)
        out('objcopy', '--add-section', f'.gnu_debugdata={small}.xz', bare)
        want = wanted(bare)
        whole_has = wanted(whole)
        more = {k: v for k, v in whole_has.items() if k[1] in ('quiet', 'one')}
        say(len(more) == 2 and not more.keys() & want.keys(), f'{name}: strip took what xz keeps')
        compare(f'{name} with .gnu_debugdata', bare, {**want, **more})
        packed = bytearray((folder / 'small.xz').read_bytes())
        for what, data in (('cut', packed[:-20]), ('changed', packed[:50] + b'xx' + packed[52:]),
                           ('no ELF file', None), ('empty', b'')):
            if data is None:
                data = run('xz', input=b'hello' * 100).stdout
            (folder / 'small.xz').write_bytes(data)
            bad = folder / 'bad'
            out('objcopy', '--update-section', f'.gnu_debugdata={folder}/small.xz', bare, bad)
            got, _, err = told(bad)
            say(got == want and '.gnu_debugdata' in err and err.startswith(str(ord('f'))),
                f'{name}: .gnu_debugdata is {what}: the rest is told, and that', err)


def parts(files):
    """Sections, as bytes."""
    for name in ('pie', 'fixed', 'library', 'static'):
        known = {s[0]: s for s in sections(files[name]).values()}
        data = files[name].read_bytes()
        for section in ('.note.stapsdt', '.stapsdt.base', '.text', '.rodata'):
            if section not in known:
                continue
            _, _, addr, offset, size, _ = known[section]
            done = run(WALK, files[name], section)
            head, _, rest = done.stdout.partition(b'\n')
            say(head == f'{addr:x} {offset:x}'.encode() and rest == data[offset:offset + size],
                f'{name}: {section}, {size} bytes', done.stderr.decode())
    for section, code in (('.nothing', 'n'), ('.bss', 'f')):
        done = run(WALK, files['pie'], section)
        say(done.returncode == 1 and done.stderr.startswith(str(ord(code)).encode()),
            f'no section {section}', done.stderr.decode())


class Walker:
    """One process that answers many questions: a thousand of their own take a minute where each
    begins with a sanitizer."""
    def __init__(self):
        self.of = None

    def ask(self, *words):
        """None, or what went wrong."""
        if not self.of:
            self.of = subprocess.Popen([WALK, '-'], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL)
            self.text = b''
        self.of.stdin.write(' '.join(map(str, words)).encode() + b'\n')
        self.of.stdin.flush()
        while not (done := re.search(rb'^done (.*)\n', self.text, re.M)):
            more = b''
            if select.select([self.of.stderr], [], [], 20)[0]:
                more = os.read(self.of.stderr.fileno(), 65536)
            else:
                self.of.kill()
            self.text += more
            if not more:
                code, self.of = self.of.wait(), None
                return f'ended with {code} {self.text.decode()}'
        self.text = b''
        return None if done[1] in (b'0', b'1') else done[1].decode()

    def end(self):
        if not self.of:
            return None
        text = self.of.communicate()[1]
        return self.of.returncode and f'ended with {self.of.returncode} {text.decode()}'


def hostile(folder, files):
    """Whatever the header and the tables of sections say: an answer, quickly, and no crash."""
    good = bytearray(files['pie'].read_bytes())
    shoff, = struct.unpack_from('<Q', good, 0x28)
    shnum, = struct.unpack_from('<H', good, 0x3c)
    path, bad, walker = folder / 'hostile', [], Walker()

    def attempt(data, what):
        path.write_bytes(data)
        for more in ((), ('.note.stapsdt',), ('.gnu_debugdata',)):
            if wrong := walker.ask(path, *more):
                bad.append(f'{what}: {wrong}')

    for i in range(shnum):
        at = shoff + i * 64
        for field, form in ((0, 'I'), (4, 'I'), (8, 'Q'), (16, 'Q'), (24, 'Q'), (32, 'Q'), (40, 'I'),
                            (56, 'Q')):
            data = bytearray(good)
            struct.pack_into('<' + form, data, at + field,
                             (1 << struct.calcsize(form) * 8) - 1 - (field & 8) * 1000)
            attempt(data, f'section {i}, field {field}')
    for n in (0, 1, 16, 52, 63, 64, 100, 1000, len(good) // 2, len(good) - 1):
        attempt(good[:n], f'cut at {n}')
    for at in range(16, 64, 2):
        data = bytearray(good)
        struct.pack_into('<H', data, at, 0xffff)
        attempt(data, f'header at {at}')
    if wrong := walker.end():
        bad.append(f'all: {wrong}')
    say(not bad, 'damaged files', *bad[:10])
    got, _, err = told('/dev/null')
    say(not got and err.startswith(str(ord('f'))), 'no ELF file', err)


with tempfile.TemporaryDirectory() as where:
    main(pathlib.Path(where))
tap.end()
