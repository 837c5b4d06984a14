#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""ctf.py CTF: types as a compiler writes them in CTF (ctf.c), each kind; TAP."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = '''
enum sort { SHORT, LONG = 7, NONE = -2 };
struct nowhere; union ghost; enum later;
struct word {
	struct word *next; enum sort sort; unsigned seen : 7, age : 9;
	char text[8]; union { long n; double d; } u; struct { short in; };
	void (*fn)(int, const char *, ...); const volatile char *p;
	unsigned long long big; _Bool ok; signed char grid[2][2];
	struct nowhere *far; union ghost *pale; float f; void *any;
	struct word *const restrict held;
};
union both { int i; unsigned char c[4]; };
typedef struct word word_t;
typedef int (*call_t)(word_t *, union both);
typedef enum sort sort_t;
word_t first; union both second; call_t third; sort_t fourth;
int limit = 42;
int area(word_t *w, int k, ...) { return w->age * k; }
void nothing(void) { }
'''
# What is asked, and what the answer is.  (Of arrays with sides of two lengths gcc mixes them up.)
ROWS = {
    'struct word': '''struct word word 112
 0 0 struct word *next
 64 0 enum sort sort
 96 7 unsigned int seen
 103 9 unsigned int age
 112 0 char text[8]
 192 0 union {...} u
 256 0 struct {...}
 320 0 void (*fn)(int, const char *, ...)
 384 0 volatile const char *p
 448 0 unsigned long long big
 512 0 _Bool ok
 520 0 signed char grid[2][2]
 576 0 struct nowhere *far
 640 0 union ghost *pale
 704 0 float f
 768 0 void *any
 832 0 struct word *const restrict held''',
    'union both': '''union both both 4
 0 0 int i
 0 0 unsigned char c[4]''',
    'enum sort': '''enum sort sort 4
 =0 SHORT
 =7 LONG
 =-2 NONE''',
    'typedef word_t': 'word_t word_t 112',
    'typedef call_t': 'call_t call_t 8',
    'typedef sort_t': 'sort_t sort_t 4',
    'struct nowhere': 'struct nowhere nowhere 0 declared',
    'union ghost': 'union ghost ghost 0 declared',
    'struct ghost': 'ghost: none',
    'union word': 'word: none',
    'struct none': 'none: none',
    'var limit': 'int limit 4',
    'var first': 'word_t first 112',
    'var area': 'area: none',
    'func limit': 'limit: none',
}
FUNCTIONS = {
    'func area': 'int area(word_t *, int, ...) 0',
    'func nothing': 'void nothing(void) 0',
}


def ask(rows, *files):
    words = [word for row in rows for word in row.split()]
    done = subprocess.run([sys.argv[1], *files, '--', *words], stdout=subprocess.PIPE, text=True)
    return done.stdout.rstrip('\n').split('\n') if done.returncode in (0, 1) else ['it crashed']


def say(is_right, what, *why):
    print('ok' if is_right else 'not ok', f'- {what}')
    for line in why if not is_right else ():
        print(f'# {line}')


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / 'a.c').write_text(SOURCE)
    made = subprocess.run(['gcc', '-gctf', '-O1', '-shared', '-fPIC', 'a.c', '-o', 'a'],
                          cwd=folder, stderr=subprocess.DEVNULL)
    ctf, symbols, names = files = [folder / name for name in ('ctf', 'dynsym', 'dynstr')]
    dump = [f'--dump-section=.{file.name}={file}' for file in files]
    if made.returncode or not shutil.which('objcopy') or \
            subprocess.run(['objcopy', *dump, 'a'], cwd=folder, stderr=subprocess.DEVNULL).returncode:
        print('1..0 # skip gcc makes no CTF')
        sys.exit()
    if ask({'struct word': ''}, ctf)[0].startswith('1 '):
        print('1..0 # skip there is no libctf')
        sys.exit()
    rows = {**ROWS, **FUNCTIONS}
    print(f'1..{len(rows) + 3}')
    for row, want in rows.items():
        got = ask({row: want}, *files)
        say(got == want.split('\n'), row, *got)
    # without symbols there are no functions, and types all the same
    say(ask(FUNCTIONS, ctf) == ['area: none', 'nothing: none'], 'no symbols', *ask(FUNCTIONS, ctf))
    say(ask({'union both': ''}, ctf) == ROWS['union both'].split('\n'), 'types without symbols')
    ctf.write_bytes(ctf.read_bytes()[:40])
    got = ask(ROWS, *files)
    say(len(got) == 1 and got[0].startswith('0 its CTF cannot be read'), 'half a file', *got)
