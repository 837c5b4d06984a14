#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""liked.py SEED: a random program, as random.d, and what it prints, as random.out.

What D has and C has not: strings and what works on them, tables with keys, variables
of threads and clauses, aggregations, clauses that end with a fault.  Each part of the
program comes with a function of Python that does the same to a State, so nothing of
the compiler is asked what is right.  likec.py asks C about the rest: widths, signs,
structures.  Numbers are 64 bits here, so strlen(), which is unsigned, is cast.
strsize is small in some programs, for strings that are cut.
"""
import operator
import random
import re
import sys

INTS = ['g0', 'g1', 'self->i0', 'self->i1', 'this->j0', 'this->j1']
TEXTS = ['s0', 's1', 'self->u0', 'self->u1', 'this->t0', 'this->t1']
DECLS = '''#pragma D option quiet
#pragma D option scratchsize=64k
#pragma D option strsize=%d
long g0, g1; self long i0, i1; this long j0, j1, l0, l1;
string s0, s1; self string u0, u1; this string t0, t1;
long a[long, string]; self long h[string]; string b[long];
long grade(long x, string s) {
	if (x > 5) { return x * 3 + (long)strlen(s); } else { return x - (long)strlen(s); } }
string trimmed(string s) {
	if ((long)strlen(s) < 4) { return strjoin(s, "!"); } else { return substr(s, 1, 2); } }
BEGIN { this->j0 = this->j1 = this->l0 = this->l1 = 0; this->t0 = this->t1 = ""; }
'''
SUMS = {'+': operator.add, '-': operator.sub, '*': operator.mul, '&': operator.and_,
        '|': operator.or_, '^': operator.xor}
ORDERS = {'<': operator.lt, '<=': operator.le, '>': operator.gt, '>=': operator.ge,
          '==': operator.eq, '!=': operator.ne}
EDGES = [0, 1, 2, 3, -1, 7, 100, 255, 65535, 1 << 31, 1 << 40, -1 << 31, (1 << 63) - 1]


def cut(x, bits=64, signed=True):
    x &= (1 << bits) - 1
    return x - (1 << bits) if signed and x >> (bits - 1) else x


class Fault(Exception):
    """The clause ends here."""


class State:
    """Variables and elements that are not there are 0, or empty."""
    def __init__(self):
        self.vars, self.aggs, self.lines, self.rest = {}, {}, [], None

    def number(self, name):
        return self.vars.get(name, 0)

    def text(self, name):
        return self.vars.get(name, '')


def divide(x, y, rest):
    if y == 0:
        raise Fault
    q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return cut(x - q * y if rest else q)


def find(s, part, start):
    start = max(start, 0)
    return s.find(part, start) if start <= len(s) else -1 if part else len(s)


def find_last(s, part, start):
    return -1 if start < 0 else s.rfind(part, 0, min(start + len(part), len(s)))


def substr(s, start, size):
    first = start if start >= 0 else len(s) + start
    end = len(s) if size is None else first + size if size >= 0 else len(s) + size
    return s[max(first, 0):max(end, 0)]


def basename(s):
    return s.rstrip('/').split('/')[-1] or '/' if s else '.'


def dirname(s):
    kept = s.rstrip('/')
    if not kept:
        return '/' if s else '.'
    return kept[:kept.rindex('/')].rstrip('/') or '/' if '/' in kept else '.'


def strtoll(s):
    found = re.match(r' *([-+]?[0-9]+)', s)
    return cut(int(found.group(1))) if found else 0


class Program:
    """A part of it is its text and a function of the state."""
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.size = self.r.choice([16, 32, 64, 256])
        self.loops = 0

    def kept(self, s):
        return s[:self.size - 1]

    # --- Numbers ----------------------------------------------------------------

    def number(self, depth=0):
        makers = [self.literal, self.variable, self.variable]
        if depth < 4:
            makers += [self.total, self.total, self.total, self.quotient, self.shift,
                       self.order, self.text_order, self.logic, self.choice, self.length,
                       self.place, self.place, self.parsed, self.element, self.element,
                       self.narrowed, self.byte, self.graded]
        return self.r.choice(makers)(depth + 1)

    def literal(self, _):
        v = self.r.choice(EDGES)
        return f'({v})', lambda e: v

    def variable(self, _):
        n = self.r.choice(INTS + [f'this->l{i}' for i in range(self.loops)])
        return n, lambda e: e.number(n)

    def total(self, depth):
        op = self.r.choice(list(SUMS))
        (a, fa), (b, fb) = self.number(depth), self.number(depth)
        return f'({a} {op} {b})', lambda e: cut(SUMS[op](fa(e), fb(e)))

    def quotient(self, depth):      # what is added is no constant
        op = self.r.choice('/%')
        (a, fa), (b, fb) = self.number(depth), self.number(depth)
        return (f'({a} {op} ({b} + this->l1))', lambda e:
                divide(fa(e), cut(fb(e) + e.number('this->l1')), op == '%'))

    def shift(self, depth):
        n, (a, fa) = self.r.randrange(64), self.number(depth)
        if self.r.random() < 0.5:
            return f'((long){a} << {n})', lambda e: cut(fa(e) << n)
        return f'((long){a} >> {n})', lambda e: fa(e) >> n

    def order(self, depth):
        op = self.r.choice(list(ORDERS))
        (a, fa), (b, fb) = self.number(depth), self.number(depth)
        return f'({a} {op} {b})', lambda e: int(ORDERS[op](fa(e), fb(e)))

    def text_order(self, depth):
        op = self.r.choice(list(ORDERS))
        (a, fa), (b, fb) = self.text(depth), self.text(depth)
        return f'({a} {op} {b})', lambda e: int(ORDERS[op](fa(e), fb(e)))

    def logic(self, depth):
        op = self.r.choice(['&&', '||', '^^'])
        (a, fa), (b, fb) = self.number(depth), self.number(depth)

        def value(e):
            x = fa(e) != 0
            if op != '^^' and x == (op == '||'):
                return int(x)
            y = fb(e) != 0
            return int(x != y if op == '^^' else y)
        return f'({a} {op} {b})', value

    def choice(self, depth):
        (c, fc), (a, fa), (b, fb) = (self.number(depth) for _ in range(3))
        return f'({c} ? {a} : {b})', lambda e: fa(e) if fc(e) else fb(e)

    def length(self, depth):
        a, fa = self.text(depth)
        return f'(long)strlen({a})', lambda e: len(fa(e))

    def place(self, depth):
        (a, fa), (b, fb) = self.text(depth), self.text(depth)
        start = self.r.choice([None, 0, 1, 3, -1, 50])
        name, how, default = self.r.choice([('index', find, 0), ('rindex', find_last, 999)])
        more = '' if start is None else f', {start}'
        return (f'{name}({a}, {b}{more})', lambda e:
                how(fa(e), fb(e), default if start is None else start))

    def parsed(self, depth):
        a, fa = self.text(depth)
        return f'strtoll({a}, 10)', lambda e: strtoll(fa(e))

    def element(self, depth):
        t, key = self.cell(self.r.choice('ah'), depth)
        return t, lambda e: e.vars.get(key(e), 0)

    def narrowed(self, depth):
        name, bits = self.r.choice([('char', 8), ('short', 16), ('int', 32)])
        signed, (a, fa) = self.r.random() < 0.5, self.number(depth)
        sign = '' if signed else 'unsigned '
        return f'(long)({sign}{name}){a}', lambda e: cut(fa(e), bits, signed)

    def byte(self, _):
        n, i = self.r.choice(TEXTS), self.r.randrange(8)
        return f'{n}[{i}]', lambda e: ord((e.text(n) + '\0' * 8)[i])

    def graded(self, depth):
        (a, fa), (b, fb) = self.number(depth), self.text(depth)

        def value(e):
            x, n = fa(e), len(fb(e))
            return cut(x * 3 + n if x > 5 else x - n)
        return f'grade({a}, {b})', value

    # --- Texts ------------------------------------------------------------------

    def text(self, depth=0):
        makers = [self.quoted, self.text_variable]
        if depth < 4:
            makers += [self.joined, self.joined, self.part, self.part, self.cased,
                       self.decimal, self.text_choice, self.text_element, self.path,
                       self.trimmed]
        return self.r.choice(makers)(depth + 1)

    def quoted(self, _):
        n = min(self.r.choice([0, 1, 2, 3, 5, 8, 13]), self.size - 1)
        v = ''.join(self.r.choice('abc/. :xyz019') for _ in range(n))
        return f'"{v}"', lambda e: v

    def text_variable(self, _):
        n = self.r.choice(TEXTS)
        return n, lambda e: e.text(n)

    def joined(self, depth):
        (a, fa), (b, fb) = self.text(depth), self.text(depth)
        return f'strjoin({a}, {b})', lambda e: self.kept(fa(e) + fb(e))

    def part(self, depth):
        start = self.r.choice([0, 1, 2, 5, -1, -3, -30, 40])
        size = self.r.choice([None, 0, 1, 3, 20, -1, -2])
        a, fa = self.text(depth)
        more = '' if size is None else f', {size}'
        return f'substr({a}, {start}{more})', lambda e: substr(fa(e), start, size)

    def cased(self, depth):
        name, how = self.r.choice([('toupper', str.upper), ('tolower', str.lower)])
        a, fa = self.text(depth)
        return f'{name}({a})', lambda e: how(fa(e))

    def decimal(self, depth):
        a, fa = self.number(depth)
        if self.r.random() < 0.5:
            return f'lltostr({a})', lambda e: self.kept(str(fa(e)))
        return f'lltostr({a}, 16)', lambda e: self.kept(hex(cut(fa(e), signed=False)))

    def text_choice(self, depth):
        (c, fc), (a, fa), (b, fb) = self.number(depth), self.text(depth), self.text(depth)
        return f'({c} ? {a} : {b})', lambda e: fa(e) if fc(e) else fb(e)

    def text_element(self, depth):
        t, key = self.cell('b', depth)
        return t, lambda e: e.vars.get(key(e), '')

    def path(self, depth):
        how, (a, fa) = self.r.choice([basename, dirname]), self.text(depth)
        return f'{how.__name__}({a})', lambda e: how(fa(e))

    def trimmed(self, depth):
        a, fa = self.text(depth)

        def value(e):
            s = fa(e)
            return self.kept(s + '!') if len(s) < 4 else s[1:3]
        return f'trimmed({a})', value

    # --- Statements -------------------------------------------------------------

    def cell(self, table, depth):
        if table == 'h':
            a, fa = self.text(depth + 1)
            return f'self->h[{a}]', lambda e: ('h', fa(e))
        a, fa = self.number(depth + 1)
        if table == 'b':
            return f'b[{a}]', lambda e: ('b', fa(e))
        b, fb = self.text(depth + 1)
        return f'a[{a}, {b}]', lambda e: ('a', fa(e), fb(e))

    def statement(self, depth=0):
        makers = [self.assign, self.assign, self.step, self.assign_text, self.assign_text,
                  self.assign_element, self.assign_element, self.assign_text_element,
                  self.show, self.aggregate, self.aggregate, self.search, self.split]
        if depth < 3:
            makers += [self.branch, self.branch]
        if depth < 2 and self.loops < 1:
            makers.append(self.loop)
        return self.r.choice(makers)(depth + 1)

    def changed(self):
        """An operator of assignments: what it makes of the old value and another."""
        op = self.r.choice(['', '', *SUMS])
        return op, (lambda old, v: cut(SUMS[op](old, v))) if op else (lambda old, v: v)

    def assign(self, _):
        n, (op, new), (a, fa) = self.r.choice(INTS), self.changed(), self.number()

        def run(e):
            v = fa(e)
            e.vars[n] = new(e.number(n), v)
        return f'{n} {op}= {a};', run

    def step(self, _):
        n, to = self.r.sample(INTS, 2)
        op, by = self.r.choice([('++', 1), ('--', -1)])
        before = self.r.random() < 0.5

        def run(e):
            old = e.number(n)
            e.vars[n] = cut(old + by)
            e.vars[to] = e.vars[n] if before else old
        return (f'{to} = {op}{n};' if before else f'{to} = {n}{op};'), run

    def assign_text(self, _):
        n, (a, fa) = self.r.choice(TEXTS), self.text()

        def run(e):
            e.vars[n] = self.kept(fa(e))
        return f'{n} = {a};', run

    def assign_element(self, _):
        t, key = self.cell(self.r.choice('ah'), 0)
        (op, new), (a, fa) = self.changed(), self.number()

        def run(e):
            k, v = key(e), fa(e)
            e.vars[k] = new(e.vars.get(k, 0), v)
        return f'{t} {op}= {a};', run

    def assign_text_element(self, _):
        (t, key), (a, fa) = self.cell('b', 0), self.text()

        def run(e):
            e.vars[key(e)] = self.kept(fa(e))
        return f'{t} = {a};', run

    def show(self, _):
        (a, fa), (b, fb), (c, fc) = self.number(), self.text(), self.number()
        return (f'printf("%d[%s]%x\\n", (long){a}, {b}, (long){c});', lambda e:
                e.lines.append(f'{fa(e)}[{fb(e)}]{cut(fc(e), signed=False):x}'))

    def aggregate(self, _):
        f, nkeys = self.r.choice(['count', 'sum', 'avg', 'min', 'max']), self.r.randrange(3)
        (a, fa), (b, fb), (c, fc) = self.number(1), self.text(1), self.number(1)
        keys = ', '.join([f'(long){a}', b][:nkeys])

        def run(e):
            k = (f, nkeys) + tuple(g(e) for g in (fa, fb)[:nkeys])
            v = 1 if f == 'count' else fc(e)
            n, old = e.aggs.get(k, (0, v))
            e.aggs[k] = n + 1, min(old, v) if f == 'min' else max(old, v) if f == 'max' \
                else v if not n else cut(old + v)
        return (f'@{f}{nkeys}{"[" * (nkeys > 0)}{keys}{"]" * (nkeys > 0)} = '
                f'{f}({"" if f == "count" else c});', run)

    def search(self, _):
        n, (a, fa), (b, fb) = self.r.choice(TEXTS), self.text(), self.text(1)
        name = self.r.choice(['strchr', 'strrchr', 'strstr'])
        c = self.r.choice('abc/.0')

        def run(e):
            s = fa(e)
            at = s.find(fb(e)) if name == 'strstr' else \
                s.find(c) if name == 'strchr' else s.rfind(c)
            e.vars[n] = s[at:] if at >= 0 else ''
        return f'{n} = {name}({a}, ' + (b if name == 'strstr' else f"'{c}'") + ');', run

    def split(self, _):
        (n, to), (a, fa) = self.r.sample(TEXTS, 2), self.text()
        ends = self.r.choice(['/', '.', ' :', 'ab', 'x'])

        def token(e):
            s = (e.rest or '').lstrip(ends)
            at = min((s.find(c) for c in ends if c in s), default=len(s))
            e.rest = s[at + 1:]
            return s[:at]

        def run(e):
            e.rest = fa(e)
            e.vars[n] = token(e)
            e.vars[to] = token(e)
        return f'{n} = strtok({a}, "{ends}"); {to} = strtok(NULL, "{ends}");', run

    def block(self, most, depth):
        parts = [self.statement(depth) for _ in range(self.r.randint(1, most))]

        def run(e):
            for _, part in parts:
                part(e)
        return '\n\t'.join(text for text, _ in parts), run

    def branch(self, depth):
        (c, fc), (a, fa), (b, fb) = self.number(), self.block(3, depth), self.block(2, depth)
        return (f'if ({c}) {{ {a} }} else {{ {b} }}', lambda e: fa(e) if fc(e) else fb(e))

    def loop(self, depth):
        i, n = f'this->l{self.loops}', self.r.randint(0, 5)
        self.loops += 1
        a, fa = self.block(3, depth)
        self.loops -= 1

        def run(e):
            e.vars[i] = 0
            while e.vars[i] < n:
                fa(e)
                e.vars[i] += 1
        return f'for ({i} = 0; {i} < {n}; {i}++) {{ {a} }}', run

    # --- All of it --------------------------------------------------------------

    def clause(self, e):
        p, fp = self.number() if self.r.random() < 0.3 else ('1', lambda e: 1)
        a, fa = self.block(6, 0)
        before = len(e.lines)
        try:
            if fp(e):
                fa(e)
        except Fault:
            del e.lines[before:]
        return f'BEGIN\n/{p}/\n{{\n\t{a}\n}}\n'

    def make(self):
        """Its text, and the lines that it prints."""
        e = State()
        text = DECLS % self.size + ''.join(self.clause(e) for _ in range(self.r.randint(2, 5)))
        for n in INTS + TEXTS:
            text += f'BEGIN {{ printf("{n} %{"d" if n in INTS else "s"}\\n", {n}); }}\n'
            e.lines.append(f'{n} {e.number(n) if n in INTS else e.text(n)}')
        text += 'BEGIN { exit(0); }\nEND {\n'
        for name in sorted(set(re.findall(r'@(\w+) =|@(\w+)\[', text))):
            name = ''.join(name)
            keys = [' ', ' %d ', ' %d [%s] '][int(name[-1])]
            text += f'\tprinta("{name}{keys}%@d\\n", @{name});\n'
            rows = [(divide(v, n, False) if name[:-1] == 'avg' else v, k[2:])
                    for k, (n, v) in e.aggs.items() if k[0] + str(k[1]) == name]
            e.lines += [name + keys % k + str(v) for v, k in sorted(rows)]
        return text + '}\n', e.lines


if __name__ == '__main__':
    program, lines = Program(int(sys.argv[1])).make()
    with open('random.d', 'w') as f:
        f.write(program)
    with open('random.out', 'w') as f:
        f.writelines(line + '\n' for line in lines)
