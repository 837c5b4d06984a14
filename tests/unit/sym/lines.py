#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""lines.py LINES [LIBRARY]: functions and lines of addresses, those of functions that were inlined
too, and where lines begin, as lines.c tells them, compared with what addr2line and objdump say of
the same files, or llvm-symbolizer where addr2line is known to be wrong; TAP."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import tap  # noqa: E402
from tap import say, skip  # noqa: E402

LINES = sys.argv[1]
C = '''
#include <stdlib.h>
volatile int sink;
static inline __attribute__((always_inline)) void innermost(int n)
{
	sink += n;
	if (n > 4)
		sink++;
}
static inline __attribute__((always_inline)) void middle(int n)
{
	sink -= n;
	innermost(n);
	for (int i = 0; i < n; i++) {
		int k = i * n;
		innermost(k);
	}
}
__attribute__((noinline)) static int once(int n)
{
	middle(n);
	if (__builtin_expect(n == 77, 0)) {
		middle(n + 1);
		abort();
	}
	return sink;
}
int other(int n);
int main(int argc, char **argv)
{
	middle(argc);
	innermost(2); middle(3);
	return once(argc) + other(argc);
}
'''
OTHER = '''
extern volatile int sink;
struct pair { int a, b; };
static inline int add(struct pair p) { return p.a + p.b; }
int other(int n)
{
	struct pair p = { n, sink };
	return add(p) * sink;
}
'''
CXX = '''
#include <algorithm>
#include <string>
#include <vector>
namespace shop {
template <typename T> struct box {
	std::vector<T> v;
	void put(T t) { v.push_back(t); }
	T most() const { return *std::max_element(v.begin(), v.end()); }
};
}
static int work(int n)
{
	shop::box<std::string> b;
	auto put = [&](int k) { b.put(std::to_string(k)); };
	for (int i = 0; i < n; i++)
		put(i);
	return (int)b.most().size();
}
int main(int argc, char **) { return work(argc + 20) == 2 ? 0 : 1; }
'''
RUST = '''
mod shop {
    pub struct Item { pub price: u64 }
    impl Item { #[inline(always)] pub fn cost(&self, n: u64) -> u64 { self.price * n + 1 } }
}
#[inline(never)] fn all(v: &[shop::Item]) -> u64 { v.iter().map(|i| i.cost(3)).sum() }
fn main() {
    let v: Vec<shop::Item> = (0..9).map(|p| shop::Item { price: p }).collect();
    std::process::exit(all(&v) as i32);
}
'''

def out(*args, text=None, where=None):
    done = subprocess.run(args, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding='utf-8', errors='replace', cwd=where)
    if done.returncode:
        raise SystemExit(f"Bail out! {' '.join(map(str, args))}: {done.stderr}")
    return done.stdout


def code(path):
    """Address and size of .text."""
    m = re.search(r'\] \.text +\S+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) ', out('readelf', '-WS', path))
    return int(m[1], 16), int(m[2], 16)


def ours(path, asked, *more):
    text, found, block = out(LINES, path, *more, text=asked), [], []
    for line in text.splitlines():
        if line:
            block.append(tuple(line.rsplit(' ', 1)))
        else:
            found.append(block)
            block = []
    return found


def theirs(path, asked):
    found = []
    lines = out('addr2line', '-aifC', '-e', path, text=asked).splitlines()
    for line in lines:
        if re.fullmatch('0x[0-9a-f]+', line):
            found.append([])
        else:
            found[-1].append(re.sub(r' \(discriminator \d+\)$', '', line))
    return [list(zip(v[::2], v[1::2])) for v in found]


def llvms(path, asked):
    lines = out('llvm-symbolizer', '-i', '-e', path,
                text=asked.replace('\n', '\n0x').removesuffix('0x').join(['0x', '']))
    blocks = [block.split('\n') for block in lines.removesuffix('\n\n').split('\n\n')]
    return [list(zip(b[::2], (where.rsplit(':', 1)[0] for where in b[1::2]))) for b in blocks]


def plain(frames):
    """Without paths and parameters, which the tools write in different ways, and as the source
    calls open64() and its like; the name of the last is the symbol's, which others know."""
    last = len(frames) - 1
    return [('' if i == last else re.sub(r'[(<].*|64$', '', name).split('::')[-1],
             re.sub(r'^\?+:', '?:', where.split('/')[-1].replace(':?', ':0')))
            for i, (name, where) in enumerate(frames)]


def compare(what, path, whole=None, step=1, more=(), judge=theirs):
    """whole: the file that the judge is to read, if it is another."""
    if judge == llvms and not shutil.which('llvm-symbolizer'):
        skip(what, 'no llvm-symbolizer')
        return True
    start, size = code(whole or path)
    at = [f'{a:x}' for a in range(start, start + size, step)]
    asked = '\n'.join(at) + '\n'
    got, want = ours(path, asked, *more), judge(whole or path, asked)
    wrong, deep = [], 0
    for addr, g, w in zip(at, got, want):
        if g or w[0][1].rsplit(':')[-1] not in ('0', '?'):
            deep += len(g) > 1
            if plain(g) != plain(w):
                wrong.append(f'{addr} {plain(g)} {plain(w)}')
    say(not wrong and len(got) == len(want) == len(at),
        f'{what}: all of {len(at)} addresses', *wrong[:10])
    return deep


def places(what, path):
    """Each is where the table of lines begins a statement of that line, and each line that has
    such a row with code has one.  Those of one address come in reverse order."""
    rows, order = set(), {}
    for line in out('objdump', '--dwarf=decodedline', '-w', path).splitlines():
        m = re.match(r'(\S+)\s+(\d+)\s+(0x[0-9a-f]+)\s+(?:\d+\s+)?x', line)
        if m and int(m[2]):
            rows.add((int(m[3], 16), f'{m[1]}:{m[2]}'))
            order.setdefault(int(m[3], 16), []).append(f'{m[1]}:{m[2]}')
    got, last = set(), (0, 0)
    wrong = []
    for line in out(LINES, path, text='').splitlines():
        addr, where = line.split(' ', 1)
        place = int(addr, 16), where.split('/')[-1]
        got.add(place)
        at = order.get(place[0], [])
        if place[0] == last[0] and at.count(place[1]) == at.count(last[1]) == 1 and \
                at.index(place[1]) > at.index(last[1]):
            wrong.append(f'{place} behind {last}')
        last = place
    wrong += [f'no statement begins at {a:x} {w}' for a, w in got - rows]
    have = {w for _, w in got}
    wrong += [f'{w} has no place' for w in sorted({w for _, w in rows} - have)]
    say(not wrong and got, f'{what}: {len(got)} places of {len(have)} lines', *wrong[:10])


def build(folder, name, *flags, tool='gcc'):
    path = folder / name
    out(tool, '-O2', '-g', *flags, 'a.c', 'b.c', '-o', path, where=folder)
    return path


def apart(folder, whole):
    """The information in a file of its own, found by the link and by the build id."""
    bare, debug = folder / 'bare', folder / 'bare.debug'
    out('objcopy', '--only-keep-debug', whole, debug)
    out('objcopy', '-S', whole, bare)
    done = subprocess.run([LINES, bare], input='', stderr=subprocess.PIPE, encoding='utf-8')
    say(done.returncode == 1 and 'has no debugging information' in done.stderr,
        'stripped', done.stderr)
    build_id = re.search(r'Build ID: (\S+)', out('readelf', '-n', whole))[1]
    place = folder / 'ids' / '.build-id' / build_id[:2]
    place.mkdir(parents=True)
    shutil.copy(debug, place / (build_id[2:] + '.debug'))
    compare('by its build id', bare, whole, more=(folder / 'ids',))
    out('objcopy', f'--add-gnu-debuglink={debug}', bare)
    compare('by its link', bare, whole)


def summed(folder):
    """Without a build id the link counts only for the bytes that it was made for."""
    whole, bare, debug = build(folder, 'whole', '-Wl,--build-id=none'), folder / 'b', folder / 'b.debug'
    out('objcopy', '--only-keep-debug', whole, debug)
    out('objcopy', '-S', f'--add-gnu-debuglink={debug}', whole, bare)
    compare('by the sum of its link', bare, whole)
    with open(debug, 'ab') as file:
        file.write(b' ')
    done = subprocess.run([LINES, bare], input='', stderr=subprocess.PIPE, encoding='utf-8')
    say(done.returncode == 1 and 'has no debugging information' in done.stderr,
        'what its link names is another file', done.stderr)


def shared(folder):
    """With parts in common with another file."""
    if not shutil.which('dwz'):
        skip('dwz', 'no dwz')
        return
    one = build(folder, 'dwz1', '-gdwarf-4')
    two = build(folder, 'dwz2', '-gdwarf-4', '-DTWO')
    before = folder / 'before'
    shutil.copy(one, before)
    out('dwz', '-m', folder / 'common', one, two)
    compare('dwz', one, before)


def main(folder):
    for name, text in ('a.c', C), ('b.c', OTHER), ('c.cc', CXX), ('d.rs', RUST):
        (folder / name).write_text(text)
    for what, flags in {'DWARF 5': (), 'DWARF 4': ('-gdwarf-4',), 'not optimized': ('-O0',),
                        'fixed': ('-no-pie', '-fno-pie'), 'compressed': ('-gz',),
                        'a section for each function': ('-ffunction-sections', '-Wl,--gc-sections'),
                        }.items():
        deep = compare(what, build(folder, what.replace(' ', '-'), *flags))
        say(deep, f'{what}: something was inlined')
        places(what, folder / what.replace(' ', '-'))
    apart(folder, folder / 'DWARF-5')
    summed(folder)
    shared(folder)
    if shutil.which('clang'):
        compare('clang', build(folder, 'clang', tool='clang'), judge=llvms)
    else:
        skip('clang', 'no clang')
    if shutil.which('g++'):
        out('g++', '-O2', '-g', 'c.cc', '-o', 'c++', where=folder)
        say(compare('C++', folder / 'c++', judge=llvms), 'C++: something was inlined')
    else:
        skip('C++', 'no g++')
    if shutil.which('rustc'):
        out('rustc', '-O', '-g', 'd.rs', '-o', 'rust', where=folder)
        say(compare('Rust', folder / 'rust', step=97), 'Rust: something was inlined')
    else:
        skip('Rust', 'no rustc')
    compare('static', build(folder, 'static', '-static'), step=53)
    if len(sys.argv) > 2 and sys.argv[2]:
        compare('a library', sys.argv[2], step=101)
        places('a library', sys.argv[2])


with tempfile.TemporaryDirectory() as where:
    main(pathlib.Path(where))
tap.end()
