#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""random_d.py [COUNT [SEED]]: whatever the compiler accepts must load; TAP.

Makes COUNT random well-typed D programs from seeds SEED, SEED + 1 ... and runs
each: all must load and end.  Run-time faults are D's own business and are
allowed; a message of any other kind is a failure, and the program is shown."""
import os
import random
import subprocess
import sys

from run import why_not

INTS = ['pid', 'tid', 'uid', 'gid', 'ppid', 'timestamp', 'vtimestamp', 'arg0', 'arg1', 'cpu',
        'id', 'epid', 'x', 'y', 'self->a', 'this->b', 'arr["k", 1]', 'self->m[3]',
        'walltimestamp', 'errno', '(int)strlen(s)', 'rand()', 'g.i', 'g.bits', 'grid[2]']
STRINGS = ['execname', 'probefunc', 'probename', 'probeprov', '"lit"', '""', 's', 'self->s',
           'this->t', 'names[pid]', 'zonename', 'self->n["q"]', 'cwd']
NUMBERS = [0, 1, -1, 7, 255, 65536, 2**31 - 1, 2**40, -2**33]
AGGREGATING = ['count()', 'sum({})', 'min({})', 'max({})', 'avg({})', 'stddev({})',
               'quantize({})', 'lquantize({}, 0, 1000, 10)', 'llquantize({}, 10, 0, 6, 10)']
PROBES = ['BEGIN'] * 4 + ['END', 'ERROR', 'syscall::getppid:entry', 'syscall:::return',
                          'profile-97']
DECLARATIONS = 'struct g { int i; unsigned bits : 5; char text[8]; }; struct g g; int grid[8];\n'
FIRST = '''BEGIN { x = 1; y = 2; s = "init"; self->a = 3; self->s = "ss"; this->b = 4;
 this->t = "tt"; arr["k", 1] = 5; self->m[3] = 6; names[pid] = "nm"; self->n["q"] = "nn"; }
'''


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.aggregations = {}

    def of(self, rows):
        """One of (weight, function) by weight."""
        return self.random.choices([f for _, f in rows], [w for w, _ in rows])[0]()

    def number(self, depth):
        r, n, s = self.random, self.number, self.string
        if depth <= 0 or r.random() < .2:
            return r.choice(INTS + [str(r.choice(NUMBERS))])
        depth -= 1
        binary = ['+', '-', '*', '&', '|', '^', '<', '<=', '==', '!=', '>', '>=', '&&', '||', '^^']
        casts = ['char', 'uint8_t', 'short', 'uint16_t', 'int', 'uint32_t', 'int64_t']
        return self.of([
            (50, lambda: f'({n(depth)} {r.choice(binary)} {n(depth)})'),
            (8, lambda: f'({n(depth)} {r.choice("/%")} ({n(depth)} | 1))'),
            (6, lambda: f'({n(depth)} {r.choice(["<<", ">>"])} {r.randrange(63)})'),
            (6, lambda: f'({n(depth)} ? {n(depth)} : {n(depth)})'),
            (5, lambda: f'{r.choice("-~!")}({n(depth)})'),
            (5, lambda: f'({r.choice(casts)})({n(depth)})'),
            (6, lambda: f'({s(depth)} {r.choice(["==", "!=", "<", ">="])} {s(depth)})'),
            (4, lambda: f'strlen({s(depth)})'),
            (3, lambda: f'index({s(depth)}, {s(depth)})'),
            (2, lambda: f'rindex({s(depth)}, {s(depth)}, {n(depth)})'),
            (2, lambda: f'strtoll({s(depth)}, 16)'),
            (2, lambda: f'progenyof({n(depth)})')])

    def string(self, depth):
        r, n, s = self.random, self.number, self.string
        if depth <= 0 or r.random() < .3:
            return r.choice(STRINGS)
        depth -= 1
        return self.of([
            (25, lambda: f'strjoin({s(depth)}, {s(depth)})'),
            (15, lambda: f'substr({s(depth)}, {n(depth)}, {n(depth)})'),
            (10, lambda: f'lltostr({n(depth)}, {r.randrange(2, 37)})'),
            (10, lambda: f'basename({s(depth)})'),
            (5, lambda: f'dirname({s(depth)})'),
            (15, lambda: f'({n(depth)} ? {s(depth)} : {s(depth)})')])

    def aggregate(self):
        r = self.random
        name = r.choice('abcdefghi')
        function, kinds = self.aggregations.setdefault(
            name, (r.choice(AGGREGATING), [r.choice('isp') for _ in range(r.randrange(4))]))
        keys = [{'i': lambda: f'(int64_t)({self.number(2)})', 's': lambda: self.string(2),
                 'p': lambda: 'probefunc'}[k]() for k in kinds]
        return f'@{name}{"[" + ", ".join(keys) + "]" if keys else ""} = ' \
            f'{function.format(self.number(2))};'

    def statement(self, depth=2):
        r, n, s = self.random, self.number, self.string

        def block():
            return ' '.join(self.statement(depth - 1) for _ in range(r.randrange(3)))
        return self.of([
            (12, lambda: f'x = {n(3)};'), (8, lambda: f's = {s(3)};'),
            (7, lambda: f'self->a = {n(3)};'), (6, lambda: f'self->s = {s(2)};'),
            (5, lambda: f'this->b = {n(3)};'), (4, lambda: f'this->t = {s(2)};'),
            (5, lambda: f'arr[{s(2)}, {n(1)}] = {n(2)};'),
            (3, lambda: f'names[{n(1)}] = {s(2)};'),
            (3, lambda: f'self->m[{n(1)}] += {n(1)};'),
            (2, lambda: f'self->n[{s(1)}] = {s(1)};'),
            (3, lambda: f'g.i = {n(2)}; g.bits = {n(1)}; grid[{r.randrange(8)}] = {n(1)};'),
            (5, lambda: f'x {r.choice("+-*|^")}= {n(2)};'), (15, self.aggregate),
            (10, lambda: f'trace({r.choice([n, s])(3)});'),
            (8, lambda: f'printf("%d %s %x\\n", {n(2)}, {s(2)}, (int)({n(2)}));'),
            (7 * (depth > 0), lambda: f'if ({n(2)}) {{ {block()} }} else {{ {block()} }}')])

    def text(self):
        r = self.random
        clauses = [DECLARATIONS + FIRST]
        for _ in range(r.randrange(1, 6)):
            predicate = f' /{self.number(2)}/' if r.random() < .4 else ''
            body = '\n '.join(self.statement() for _ in range(r.randrange(1, 6)))
            clauses.append(f'{r.choice(PROBES)}{predicate}\n{{ {body} }}\n')
        return ''.join(clauses) + 'BEGIN { exit(0); }\n'


def complaint(text):
    done = subprocess.run(['timeout', '-s', 'KILL', '20', os.environ['DTRACE'], '-qs', '-'],
                          input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    lines = [line for line in done.stderr.decode(errors='replace').splitlines()
             if not line.startswith('dtrace: error on enabled probe ID')
             and not line.endswith(('drops', 'drop'))]
    if done.returncode or lines:
        return [f'exit status {done.returncode}'] + lines
    return []


def main():
    if reason := why_not():
        print(f'1..0 # SKIP {reason}')
        return 0
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    bad = 0
    print(f'1..{count}')
    for n, seed in enumerate(range(first, first + count), 1):
        text = Program(seed).text()
        lines = complaint(text)
        print(f"{'not ' if lines else ''}ok {n} - program of seed {seed}")
        if lines:
            bad += 1
            print('\n'.join('#   ' + line for line in lines + text.splitlines()))
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
