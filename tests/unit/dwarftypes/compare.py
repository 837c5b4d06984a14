#!/usr/bin/env python3
"""compare.py LAYOUTS LIBRARY: are the structs of real programs and libraries laid out, and
do their enums have the values, as gdb says?  TAP.

Those of the C library (where its debugging information is installed), of LIBRARY (if that
is not empty),
and of a program of C++'s library in each form that compilers and packages give to
debugging information.

compare.py LAYOUTS --whole FILE...: those of the files, by hand; tells how many."""
import os
import shutil
import subprocess
import sys
import tempfile

LAYOUTS, LIBRARY = sys.argv[1:3]
CXX = '''
#include <map>
#include <memory>
#include <sstream>
#include <unordered_map>
#include <vector>
std::map<std::string, std::vector<int>> m;
std::unordered_map<int, std::shared_ptr<std::string>> u;
namespace outer { namespace inner { struct here { int x : 3; long y; }; }
class parent { public: virtual ~parent() {} int i; };
class kid : public parent { public: short s; union { char c[7]; double d; };
	struct nested { bool b; nested *next; }; nested n; };
class shared : virtual public parent { public: int own; }; }
outer::inner::here h;
outer::kid k;
outer::shared s;
int main() { std::stringstream s; s << m.size(); return s.str().size(); }
'''
RUST = '''
use std::collections::*;
fn main() {
    let mut m: HashMap<String, Vec<u32>> = HashMap::new();
    m.entry("a".into()).or_default().push(3);
    let b: BTreeMap<u32, Option<Box<dyn Fn(u32) -> u32>>> = BTreeMap::new();
    println!("{} {:?}", b.len(), m);
}
'''
# The linker's optimizer makes an array of so many from a copy of the struct, whose enum has
# no values.
COPIED = '''
#include <string.h>
enum color { RED = 4, GREEN = 9 };
struct dot { enum color color; int n; };
void use(struct dot *v, int n);
static int walk(int n) { struct dot v[n]; memset(v, 0, sizeof(v)); use(v, n); return v[0].color; }
int main(int argc, char **argv) { return walk(argc) + walk(argc * 2); }
'''
USED = '''
enum color { RED = 4, GREEN = 9 };
struct dot { enum color color; int n; };
void use(struct dot *v, int n) { for (int i = 0; i < n; i++) v[i].color = RED; }
'''
# All that the headers say, not only what is used.
ALL = CXX.replace('#include <map>', '\n'.join(
    f'#if __has_include(<{h}>)\n#include <{h}>\n#endif' for h in (
        'map', 'bits/stdc++.h', 'sys/socket.h', 'netinet/in.h', 'netinet/tcp.h', 'linux/bpf.h',
        'linux/perf_event.h', 'linux/fuse.h', 'linux/nl80211.h', 'linux/videodev2.h')))
# Of several types of one name gdb takes one and we the first: where these differ, they are
# left out.  Newer gdbs do not take "struct" as a part of what Rust calls it.
GDB = '''
import gdb, re
lines = open({listing!r}).read().splitlines()
types = []
def look_up(kind, name):
    try:
        return gdb.lookup_type(kind + ' ' + name)
    except gdb.error:
        t = gdb.lookup_type(name)
    if t.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ENUM):
        raise gdb.error('it is none')
    return t
def is_one(kind, name):
    all = gdb.execute('info types -q ^' + re.escape(name) + '$', to_string=True)
    return len(re.findall('^(?:[0-9]+:)?\\\\s+' + kind + ' ', all, re.M)) < 2
for line in lines:
    if line.startswith(' '):
        off, bits, size, name = line[1:].split(' ', 3)
        types[-1][3].append((int(off), int(bits), int(size), name))
    elif line.startswith('='):
        value, name = line[1:].split(' ', 1)
        types[-1][3].append((int(value), name))
    else:
        kind, size, name = line.split(' ', 2)
        types.append((kind, int(size), name, []))
compared = bad = members_n = fields_n = values_n = 0
for kind, size, name, members in types:
    try:
        t = look_up(kind, name)
    except gdb.error:
        continue        # static in a file that gdb has not read
    if kind == 'enum':
        # gdb takes a value as signed that is not written so
        want = [(f.enumval % 2**64, f.name.split('::')[-1]) for f in t.fields()]
        members = [(v % 2**64, n) for v, n in members]
        if all(v >= 2**64 - 2**31 or v < 2**32 for v, n in want):
            want, members = ([(v % 2**32, n) for v, n in m] for m in (want, members))
        compared += 1
        values_n += len(want)
        if (t.sizeof, want) != (size, members):
            bad += 1
            print('differs:', kind, name, t.sizeof, size, want, members)
        continue
    # what is inherited virtually has no place of its own, and is left out
    want = [(f.bitpos, f.bitsize, f.type.sizeof,
             '-' if f.is_base_class else f.name or ('discr' if f.artificial else '-'))
            for f in t.fields() if getattr(f, 'bitpos', None) is not None]
    if (t.sizeof, want) != (size, members) and not is_one(kind, name):
        continue
    compared += 1
    members_n += len(want)
    fields_n += sum(bits > 0 for _, bits, *_ in want)
    if (t.sizeof, want) != (size, members):
        bad += 1
        print('differs:', kind, name, t.sizeof, size, want, members)
print('members', members_n, 'bit-fields', fields_n, 'enumerators', values_n)
print('compared', compared, 'bad', bad)
'''


def run(*args, **kw):
    return subprocess.run(args, check=True, text=True, stdout=subprocess.PIPE,
                          **kw).stdout


def ask_gdb(dir, file):
    """What differs, a line each, and how many there are."""
    listing = os.path.join(dir, 'listing')
    with open(listing, 'w') as f:
        f.write(run(LAYOUTS, file))
    script = os.path.join(dir, 'script.py')
    with open(script, 'w') as f:
        f.write(GDB.format(listing=listing))
    return run('gdb', '-nx', '--batch', '-iex', 'set debuginfod enabled off',
               '-x', script, file, stderr=subprocess.DEVNULL).splitlines()


def compare(dir, file, least, may_differ=0):
    """None: as gdb says, of so many types at least; else what is wrong."""
    out = ask_gdb(dir, file)
    last = out[-1].split() if out else []
    if len(last) != 4 or last[0] != 'compared':
        return 'gdb says nothing'
    if int(last[1]) < least or int(last[3]) > may_differ:
        return '\n'.join(out[-10:])
    return None


def forms(dir):
    """Yields a program in each form: its name, its file."""
    source = os.path.join(dir, 'all.cc')
    with open(source, 'w') as f:
        f.write(CXX)
    for name, flags in (('DWARF 5', ['-gdwarf-5']), ('DWARF 4', ['-gdwarf-4']),
                        ('sections of types', ['-gdwarf-5', '-fdebug-types-section']),
                        ('sections of types in DWARF 4',
                         ['-gdwarf-4', '-fdebug-types-section'])):
        file = os.path.join(dir, name.replace(' ', '-'))
        run('g++', '-std=c++17', '-Wl,--build-id=none', *flags, '-o', file, source)
        yield name, file
    five, file = dir + '/DWARF-5', dir + '/small'
    run('objcopy', '--compress-debug-sections', five, file)
    yield 'compressed', file
    file = dir + '/apart'
    os.mkdir(dir + '/.debug')
    run('objcopy', '--only-keep-debug', five, dir + '/.debug/apart.debug')
    run('objcopy', '--strip-debug', '--add-gnu-debuglink=' + dir + '/.debug/apart.debug',
        five, file)
    yield 'in a file that a link names', file
    if shutil.which('dwz'):
        one, two = dir + '/one', dir + '/two'
        shutil.copy(five, one)
        shutil.copy(five, two)
        run('dwz', '-m', dir + '/common', '-M', dir + '/common', one, two)
        yield 'with a part in common', one


def everything(dir):
    source, file = os.path.join(dir, 'everything.cc'), os.path.join(dir, 'everything')
    with open(source, 'w') as f:
        f.write(ALL)
    run('g++', '-std=c++20', '-g', '-fno-eliminate-unused-debug-types', '-o', file, source)
    return file


def rust(dir):
    source, file = os.path.join(dir, 'r.rs'), os.path.join(dir, 'rust')
    with open(source, 'w') as f:
        f.write(RUST)
    run('rustc', '-g', '-o', file, source, stderr=subprocess.DEVNULL)
    return file


def optimized(dir):
    for name, text in ('copied.c', COPIED), ('used.c', USED):
        with open(os.path.join(dir, name), 'w') as f:
            f.write(text)
    run('gcc', '-g', '-O2', '-flto', '-o', 'optimized', 'copied.c', 'used.c', cwd=dir,
        stderr=subprocess.DEVNULL)
    return os.path.join(dir, 'optimized')


# Pointers and long have 4 bytes.
NARROW = '\n'.join(f'#include <{h}>' for h in (
    'stdio.h', 'signal.h', 'time.h', 'sys/socket.h', 'netinet/in.h', 'pthread.h', 'dirent.h',
    'linux/bpf.h', 'linux/perf_event.h', 'linux/videodev2.h')) + '''
struct own { struct own *next; long n; long long big; double d; void (*fn)(void *); int x : 3; };
struct own own;
int main(void) { return own.n; }
'''


def narrow(dir):
    """A program of 32 bits; None: no compiler for such."""
    source, file = os.path.join(dir, 'narrow.c'), os.path.join(dir, 'narrow')
    with open(source, 'w') as f:
        f.write(NARROW)
    try:
        run('gcc', '-m32', '-idirafter', '/usr/include/x86_64-linux-gnu', '-g',
            '-fno-eliminate-unused-debug-types', '-o', file, source, stderr=subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        return None
    return file


def whole(files):
    with tempfile.TemporaryDirectory() as dir:
        for file in files:
            print(file, *ask_gdb(dir, file), sep='\n')


def main():
    need = [c for c in ('gdb', 'g++', 'objcopy') if not shutil.which(c)]
    if need:
        print('1..0 # SKIP no', ', '.join(need))
        return
    results = []
    with tempfile.TemporaryDirectory() as dir:
        libc = '/lib/x86_64-linux-gnu/libc.so.6'
        if os.path.exists('/usr/lib/debug/.build-id') and os.path.exists(libc):
            results.append(('the C library', compare(dir, libc, 300)))
        if LIBRARY:     # built with types
            results.append(('a library', compare(dir, LIBRARY, 300, 20)))
        results.append(('C++, all of its library', compare(dir, everything(dir), 5000)))
        results.append(('C, optimized by the linker', compare(dir, optimized(dir), 2)))
        if narrow(dir):
            results.append(('C, with 32 bits', compare(dir, narrow(dir), 150)))
        if shutil.which('rustc'):
            results.append(('Rust', compare(dir, rust(dir), 30)))
        for name, file in forms(dir):
            # in a unit for one type others are declared, some of them without
            # their space and without a word where they are defined
            differ = 20 if name.startswith('sections of types') else 0
            results.append(('C++, ' + name, compare(dir, file, 60, differ)))
    print('1..%d' % len(results))
    for i, (name, wrong) in enumerate(results):
        print('not ok' if wrong else 'ok', i + 1, '-', name)
        for line in (wrong or '').splitlines():
            print('# ' + line)


if LIBRARY == '--whole':
    whole(sys.argv[3:])
else:
    main()
