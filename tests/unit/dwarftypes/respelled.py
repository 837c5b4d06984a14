#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""respelled.py LAYOUTS: which struct of a C++ program is meant by a name that is not written as
there: with a typedef in its arguments, or without those that it has anyway; TAP."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = '''
typedef int number;
typedef number count;
namespace n { typedef long size; struct s { int i; }; typedef s t;
	template <typename T> struct own { T v; }; }
template <typename T, typename U = char> struct box { T v; U u; };
template <typename T, typename U> struct two { T v; U u; };
template <int N> struct fixed { char c[N]; };
count k; n::size z; n::t y;
box<int> a; box<long, short> b; box<box<int> > c; box<n::s> d; fixed<3> e;
two<int, char> f; two<int, short> g; n::own<unsigned> h;
int main() { return 0; }
'''
NAMES = {
    'box<int>': 'box<int, char>',
    'box<number>': 'box<int, char>',
    'box<count>': 'box<int, char>',
    'box< count >': 'box<int, char>',
    'box<n::size>': 'box<long, short>',
    'box<n::size, short>': 'box<long, short>',
    'box<n::size, char>': 'none',
    'box<n::t>': 'box<n::s, char>',
    'box<t>': 'none',
    'box<box<count>>': 'box<box<int, char>, char>',
    'box<box<count>, char>': 'box<box<int, char>, char>',
    'n::own<unsigned>': 'n::own<unsigned int>',
    'own<unsigned>': 'none',
    'fixed<3>': 'fixed<3>',
    'fixed<4>': 'none',
    'two<count, short>': 'two<int, short>',
    'two<count>': 'none',               # which of both?
    'two<count, char>': 'two<int, char>',
    'box<nosuch>': 'none',
    'box<count': 'none',
    'count': 'none',
    'number<int>': 'none',
}


def plain(name):
    """As compilers differ in: "long int", "> >"."""
    return name.replace(' int,', ',').replace(' int>', '>').replace('unsigned>', 'unsigned int>') \
        .replace('> >', '>>')


if not shutil.which('g++'):
    print('1..0 # skip no compiler of C++')
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / 'a.cc').write_text(SOURCE)
    subprocess.run(['g++', '-g', '-O0', folder / 'a.cc', '-o', folder / 'a'], check=True)
    done = subprocess.run([sys.argv[1], folder / 'a', *NAMES], stdout=subprocess.PIPE, text=True)
found = done.stdout.splitlines()
print(f'1..{len(NAMES)}')
for i, (name, want) in enumerate(NAMES.items()):
    got = found[i] if i < len(found) else 'nothing'
    print('ok' if plain(got) == want else 'not ok', f'- {name}')
    if plain(got) != want:
        print(f'# {got}, not {want}')
