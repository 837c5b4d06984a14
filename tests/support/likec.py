#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""likec.py arith|layout|memory SEED: a random program, as random.d and random.c.

What C defines D has from it: the conversions and signs of integers of every
width, bit-fields, how structs and unions are laid out, and what assigning to
their members and copying them changes, wherever D keeps them.  Both programs print
the same lines, a number and values, when that is so.  What C leaves open (more
shifts than bits, the bits between members) is not asked, and lines in which a
signed number of less than 64 bits overflows, as the sanitizer tells, are left
out: D does not cut it.  An enum is an int in D.
"""
import random
import re
import subprocess
import sys

INTS = ['char', 'signed char', 'unsigned char', 'short', 'unsigned short',
        'int', 'unsigned int', 'long', 'unsigned long', 'long long',
        'unsigned long long', 'uint8_t', 'int16_t', 'uint32_t', 'int64_t',
        'uint64_t', '_Bool', 'enum signs']
BITS = {'int': 32, 'unsigned int': 32, 'char': 8, 'unsigned char': 8,
        'short': 16, 'uint16_t': 16, 'long': 64, 'uint64_t': 64, '_Bool': 1,
        'int8_t': 8, 'enum en': 32, 'enum signs': 32}
OTHERS = ['int *', 'char **', 'float', 'double', 'long double']
EDGES = [0, 1, -1, 2, 3, -2, 7, 127, 128, 255, 256, -128, -129, 32767, 32768,
         65535, 65536, 2147483647, 2147483648, -2147483648, 4294967295,
         4294967296, 9223372036854775807, -9223372036854775807, 10, 100]
LITERALS = ['0', '1', '2', '3', '10', '0x7f', '0xff', '2147483647',
            '2147483648', '4294967295', '0xffffffffffffffff',
            '9223372036854775807', '1U', '3L', '7UL', '2ULL', '0377', "'a'",
            '0x80000000', '0xffffffff', '020000000001', "'ab'", "'\\377'", '5LL', '0x10L', 'B', 'MINUS', 'sizeof (int)']
ENUMS = 'enum en { A, B, C, D };\nenum signs { MINUS = -1, ZERO, PLUS };\n'


# In the place of the sanitizer's runtime library: which lines overflow?
HANDLERS = '''
static volatile int is_open;
struct check { char *file; unsigned line, column; unsigned short *type; };
static void note(struct check *c) { is_open |= 1 << (c->type[1] >> 1) < 64; }
#define HANDLER(name) void __ubsan_handle_##name(void *data, void *a, void *b) \\
    { note(data); }
HANDLER(add_overflow) HANDLER(sub_overflow) HANDLER(mul_overflow)
HANDLER(divrem_overflow) HANDLER(negate_overflow) HANDLER(shift_out_of_bounds)
#define DONE(n) if (is_open) fprintf(stderr, "%d\\n", n); is_open = 0;
'''
CHECKS = ['-fsanitize=signed-integer-overflow,shift', '-fsanitize-recover=all']


class Program:
    """One text for both: declarations, and lines to print."""
    def __init__(self):
        self.decls, self.lines, self.n = ENUMS, [], 0

    def c_text(self, check=False):
        body = ''
        for before, n, values in self.lines:
            # One by one, for C leaves the order of arguments open.
            prints = ''.join(f' printf(" %ld", (long)({v}));' for v in values)
            done = f' DONE({n})' if check else ''
            body += f'\t{before} printf("{n}");{prints} puts("");{done}\n'
        return ('#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n'
                f'{HANDLERS if check else ""}{self.decls}\nint main(void)\n{{\n'
                f'{body}\treturn 0;\n}}\n')

    def drop_open(self):
        """Leave out the lines whose values C leaves open, until none is left:
        without one, others compute with other values."""
        seen = True
        while seen:
            text = self.c_text(check=True)
            first = text[:text.index('int main')].count('\n') + 3
            with open('check.c', 'w') as f:
                f.write(text)
            # What gcc folds it only warns of.
            made = subprocess.run(['gcc', '-O0', *CHECKS, '-c', 'check.c'],
                                  stderr=subprocess.PIPE, text=True, check=True)
            folded = re.findall(r'^check.c:(\d+):.*overflow', made.stderr, re.M)
            subprocess.run(['gcc', '-o', 'check', 'check.o'], check=True)
            ran = subprocess.run('./check', stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, check=True)
            seen = {int(n) for n in ran.stderr.split()}
            for line in folded:
                if 0 <= int(line) - first < len(self.lines):
                    seen.add(self.lines[int(line) - first][1])
            self.lines = [l for l in self.lines if l[1] not in seen]

    def show(self, before, *values):
        self.n += 1
        self.lines.append((before, self.n, values))

    def write(self, d_names=()):
        """d_names: pairs of what C and D call something."""
        clauses = ''
        self.drop_open()
        for before, n, values in self.lines:
            form = f'{n}' + ' %d' * len(values) + '\\n'
            args = ', '.join(f'(long)({v})' for v in values)
            for c_name, d_name in d_names:
                before = before.replace(c_name, d_name)
                args = args.replace(c_name, d_name)
            clauses += f'BEGIN {{ {before} printf("{form}", {args}); }}\n'
        with open('random.c', 'w') as f:
            f.write(self.c_text())
        decls = self.decls
        for c_name, d_name in DECLARED if d_names else ():
            decls = decls.replace(c_name, d_name)
        with open('random.d', 'w') as f:
            f.write(f'#pragma D option quiet\n{decls}\n{clauses}'
                    'BEGIN { exit(0); }\n')


def bit_field(name, base=None):
    base = base or random.choice(list(BITS))
    # An enum must hold its enumerators, or gcc warns.
    least = 2 if base.startswith('enum') else 1
    return f'{base} {name} : {random.randint(least, BITS[base])};'


# --- Arithmetic --------------------------------------------------------------

def expr(names, depth):
    def e():
        return expr(names, depth - 1)

    kind = random.random()
    if depth == 0 or kind < 0.15:
        return random.choice(random.choice([names, names, LITERALS]))
    if kind < 0.30:
        return f'{random.choice("-~!+")}({e()})'
    if kind < 0.42:
        return f'({random.choice(INTS)})({e()})'
    if kind < 0.50:
        # D leaves arms of one type as they are, C promotes them.
        return f'({e()} ? +({e()}) : ({e()}))'
    if kind < 0.56:
        return f'({e()} {random.choice(["<<", ">>"])} ({e()} & 7))'
    if kind < 0.62:
        return f'({e()} {random.choice("/%")} ({e()} | 1))'
    op = random.choice(['+', '-', '*', '&', '|', '^', '<', '<=', '>', '>=',
                        '==', '!=', '&&', '||'])
    return f'({e()} {op} {e()})'


def statement(names, to):
    kind = random.random()
    if kind < 0.25:
        return random.choice([f'{to}++', f'{to}--', f'++{to}', f'--{to}'])
    if kind < 0.35:
        return f'{to} {random.choice(["<<=", ">>="])} ({expr(names, 1)} & 7)'
    if kind < 0.45:
        return f'{to} {random.choice(["/=", "%="])} ({expr(names, 1)} | 1)'
    op = random.choice(['=', '+=', '-=', '*=', '&=', '|=', '^='])
    return f'{to} {op} {expr(names, 2)}'


def narrow_wide(decl):
    """What gcc does between 33 and 63 bits is its own: it computes in them."""
    width = int(decl.split(':')[1].rstrip('; '))
    return 32 < width < 64


def arith():
    p = Program()
    plain = [f'v{i}' for i in range(2 * len(INTS))]
    for i, name in enumerate(plain):
        p.decls += f'{INTS[i // 2]} {name};\n'
    fields = []
    while len(fields) < 10:
        decl = bit_field(f'f{len(fields)}')
        if not narrow_wide(decl):
            fields.append(decl)
    p.decls += 'struct fields { ' + ' '.join(fields) + ' } s;\n'
    names = plain + [f's.f{i}' for i in range(len(fields))]
    for name in names:
        p.show(f'{name} = {random.choice(EDGES)};', name)
    for _ in range(40):
        e = expr(names, random.choice([1, 2, 2, 3]))
        p.show('', e)
        e = expr(plain, random.choice([1, 2]))
        p.show('', f'sizeof (+({e}))')
        to = random.choice(names)
        p.show('', statement(names, to))
        p.show('', to)
    p.write()


# --- Layout ------------------------------------------------------------------

def member(name, depth, known, seen):
    """The text of a member; in `seen` its path, unless it has none."""
    kind = random.random()
    if kind < 0.05:
        return random.choice(['int : 0;', 'char : 3;', 'long : 20;'])
    if kind < 0.3:
        seen.append((name, True))
        return bit_field(name)
    if kind < 0.5 and depth < 2:
        inner = []
        text = ' '.join(member(f'{name}{k}', depth + 1, known, inner)
                        for k in range(random.randint(1, 4)))
        what = random.choice(['struct', 'union'])
        if random.random() < 0.5 and inner:
            seen += inner
            return f'{what} {{ {text} }};'
        seen.append((name, False))
        return f'{what} {{ {text} char last; }} {name};'
    seen.append((name, False))
    base = random.choice(INTS + OTHERS + known)
    size = random.choice(['', '', f'[{random.randint(1, 5)}]'])
    return f'{base} {name}{size};'


def layout():
    p = Program()
    known = []
    p.decls += 'int64_t h; int i;\n'
    for s in range(8):
        tag = f'{random.choice(["struct", "struct", "union"])} t{s}'
        seen = []
        text = ' '.join(member(f'm{i}', 0, known, seen)
                        for i in range(random.randint(1, 8)))
        p.decls += (f'{tag} {{ {text} char last; }};\n'
                    f'{tag} v{s}, zeros{s};\nunion {{ {tag} s; '
                    f'unsigned char b[sizeof ({tag})]; }} u{s};\n')
        known.append(tag)
        p.show('', f'sizeof ({tag})')
        for name, is_bits in seen:
            if not is_bits:
                p.show('', f'offsetof({tag}, {name})',
                       f'sizeof (v{s}.{name})')
                continue
            value = random.choice(EDGES)
            p.show(f'u{s}.s = zeros{s}; u{s}.s.{name} = {value}; h = 0; '
                   f'for (i = 0; i < sizeof (v{s}); i++) '
                   f'h = h * 31 + u{s}.b[i];', f'u{s}.s.{name}', 'h')
    p.write()


# --- Memory ------------------------------------------------------------------

# Where D keeps variables, and what C calls them.
PLACES = [('OF_THREAD', 'self->t'), ('OF_CLAUSE', 'this->c'),
          ('ELEMENT', 'e[1, "k"]'), ('THREADS', 'self->a[i - i + 3]'),
          ('KEYED', 'k[key]')]
DECLARED = [('struct s OF_THREAD', 'self struct s t'),
            ('struct s OF_CLAUSE', 'this struct s c'),
            ('struct s ELEMENT', 'struct s e[int, string]'),
            ('struct s THREADS', 'self struct s a[int]'),
            ('struct s KEYED', 'struct s k[struct key]')]


def place(whole=False):
    """An object of struct s, or a member of one, and its C array's index."""
    base = random.choice([p[0] for p in PLACES] + ['plain', 'row[i]',
                                                   'row[2]'])
    if whole:
        return base
    i = random.choice(['0', '1', '2', 'i', '(i + 1) % 3', '2 - i'])
    return base + random.choice([
        '.n', '.c', '.bits', '.more', f'.v[{i}]', f'.in[{i}].x',
        f'.in[{i}].y', f'.in[{i}].deep.w[{i}]', f'.in[{i}].deep.b', '.u.l',
        f'.u.part[{i}]', '.lone.y'])


def memory():
    p = Program()
    p.decls += ('''struct in { short x; uint8_t y;
    struct { int64_t w[3]; unsigned b : 5, d : 3; } deep; };
struct s { char c; int n; unsigned bits : 7; int more : 9; long v[3];
    struct in in[3]; union { int64_t l; uint8_t part[8]; } u; struct in lone; };
struct key { char c; int n; } key;
struct s plain, row[3];
int64_t i, h;
struct s OF_THREAD; struct s OF_CLAUSE; struct s ELEMENT; struct s THREADS;
struct s KEYED;
''')
    for _ in range(60):
        kind = random.random()
        set_i = f'i = {random.randint(0, 2)};'
        if kind < 0.15:
            to, got = place(True), place(True)
            p.show(f'{set_i} {to} = {got};', f'{to}.n', f'{to}.u.l',
                   f'{to}.in[i].deep.w[i]')
        elif kind < 0.25:
            to, got = place(True), place(True)
            p.show(f'{set_i} {to}.in[i] = {got}.in[2 - i]; '
                   f'{to}.lone = {got}.in[i];', f'{to}.in[i].x',
                   f'{to}.lone.deep.b')
        elif kind < 0.35:
            p.show(f'{set_i} {place()} = {place()} = {random.choice(EDGES)};',
                   place())
        else:
            to = place()
            value = random.choice([str(random.choice(EDGES)), place()])
            op = random.choice(['=', '=', '+=', '-=', '|=', '^=', '*='])
            text = random.choice([f'{to} {op} {value}', f'{to}++', f'--{to}'])
            p.show(set_i, text, to)
    for name in [p[0] for p in PLACES] + ['plain']:
        p.show('i = 1;', *[f'{name}.{m}' for m in (
            'c', 'n', 'bits', 'more', 'v[0]', 'v[1]', 'v[2]', 'in[0].x',
            'in[1].deep.w[2]', 'in[2].deep.b', 'u.l', 'lone.y')])
    p.write(PLACES)


def main():
    random.seed(int(sys.argv[2]))
    {'arith': arith, 'layout': layout, 'memory': memory}[sys.argv[1]]()


if __name__ == '__main__':
    main()
