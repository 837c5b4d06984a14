#!/usr/bin/env python3
"""aggmodel.py COUNT [SEED]: aggregations of random programs, against a model of
what they must print.  The model follows the description of the output, and
knows nothing of the program that it judges.

Pictures are made of all counts, as they are before normalize(); so are orders.
"""
import difflib
import os
import random
import subprocess
import sys

HEAD = ' ------------- Distribution -------------'
FULL, HALF, ZOOM = 40, 20, 95		# columns; per cent


def share(value, whole, total):
    """The nearest whole number to value's part of whole, halves up."""
    return (2 * abs(value) * whole + total) // (2 * total) if total else 0


def literal(v):
    """-2^63 is no number in D, but an expression."""
    return '(-9223372036854775807 - 1)' if v == -2**63 else f'({v})'


def divide(v, by):
    return abs(v) // by * (-1 if v < 0 else 1)


# --- Histograms: labels of their buckets, what those stand for, and which one ---

class Quantize:
    name, least = 'quantize', (62, 64)	# rows of one that is empty

    def __init__(self, r):
        self.values = [-2**k for k in range(62, -1, -1)] + [0] + \
            [2**k for k in range(63)]
        self.labels = [str(v) for v in self.values]

    def args(self, r, increment):
        return []

    def bucket(self, v):
        if v > 0:
            return 63 + v.bit_length()
        return 63 - min((-v).bit_length(), 63)


class Edges:
    """One bucket below the first edge, one from each edge on."""
    least = (0, 2)

    def set_edges(self, edges):
        self.values = [edges[0] - 1] + edges
        self.labels = [f'< {edges[0]}'] + [str(e) for e in edges[:-1]] + \
            [f'>= {edges[-1]}']

    def bucket(self, v):
        return sum(v >= e for e in self.values[1:])


class Lquantize(Edges):
    name = 'lquantize'

    def __init__(self, r):
        self.low = r.choice([0, -10, 5, -100, -2**31, r.randint(-50, 50)])
        self.step = r.choice([1, 1, 2, 3, 10])
        levels = r.randint(1, 20)
        # part of a step at the end is no level
        self.high = self.low + self.step * levels + r.randrange(self.step)
        self.set_edges([self.low + self.step * i for i in range(levels + 1)])

    def args(self, r, increment):
        some = [self.low, self.high, self.step]
        return some if increment or self.step > 1 or r.random() < .5 \
            else some[:2]


class Llquantize(Edges):
    name = 'llquantize'

    def __init__(self, r):
        f, steps = r.choice([(2, 2), (2, 8), (10, 10), (10, 5), (10, 20),
                             (10, 100), (3, 1), (4, 8), (20, 20), (5, 25)])
        low = r.randint(0, 2)
        high = low + r.randint(0, 4)
        self.all = [f, low, high, steps]
        edges = []
        for k in range(low, high + 1):
            edges += range(f**k, f**(k + 1), max(1, f**(k + 1) // steps))
        self.set_edges(edges + [f**(high + 1)])

    def args(self, r, increment):
        return self.all


# --- Pictures ------------------------------------------------------------------

class Graph:
    """Bars beside each other.  to_edge: agghist's, of which the largest is as
    wide as there is room, unless some are negative."""

    def __init__(self, counts, zoom, to_edge=False):
        self.negative = any(c < 0 for c in counts)
        self.positive = any(c > 0 for c in counts)
        self.side = HALF if self.negative and self.positive else FULL
        self.total = sum(abs(c) for c in counts)
        self.unit = 1
        if zoom:
            self.total = max(abs(c) for c in counts)
            if not to_edge or self.negative:
                self.unit, self.total = ZOOM, self.total * 100

    def bar(self, v):
        at = '@' * share(v, self.side * self.unit, self.total)
        left = at.rjust(self.side) if v < 0 else ' ' * self.side
        right = at.ljust(self.side) if v > 0 else ' ' * self.side
        if not self.negative:
            return '|' + right
        return left + '|' + (right if self.positive else '')


def rows(h, counts):
    some = [i for i, c in enumerate(counts) if c]
    if not some:
        return h.least
    return max(some[0] - 1, 0), min(some[-1] + 1, len(counts) - 1)


def histogram(h, counts, normal, zoom):
    graph, (first, last) = Graph(counts, zoom), rows(h, counts)
    text = '\n%16s %41s %-9s\n' % ('value', HEAD, 'count')
    for i in range(first, last + 1):
        text += '%16s %s %-9d\n' % (h.labels[i], graph.bar(counts[i]),
                                    divide(counts[i], normal))
    return text


def letter(v, counts, zoom):
    """One bucket, packed."""
    total = max(map(abs, counts)) * 100 if zoom else sum(map(abs, counts))
    high = share(v, 7 * (ZOOM if zoom else 1), total)
    return ' ' if not v else '_' if high < 2 else \
        'xv'[v < 0] if high < 6 else 'XV'[v < 0]


def packed(h, data, zoom):
    first, last = 0, len(h.values) - 1
    if h.name != 'lquantize':
        some = [rows(h, c) for c in data.values() if any(c)] or [h.least]
        first, last = min(s[0] for s in some), max(s[1] for s in some)
    least, most = (5, 4) if h.name == 'quantize' else (8, 8)
    low, high = h.labels[first], h.labels[last]
    left, right = max(least, len(low) + 1), max(most, len(high))
    text = '\n%9s%*s .%s. %-*s | count\n' % (
        'key', left, 'min', '-' * (last - first + 1), right, 'max')
    for key in by_weight(h, data):
        c = data[key]
        text += '%9s%*s :%s: %-*s | %d\n' % (
            key, left, low, ''.join(letter(v, c, zoom)
                                    for v in c[first:last + 1]),
            right, high, sum(c))
    return text


def by_weight(h, data):
    """By what was counted in all, then by how often it was 0, then by key."""
    def order(key):
        c = data[key]
        zero = c[h.values.index(0)] if 0 in h.values else 0
        return sum(n * v for n, v in zip(c, h.values)), zero, key
    return sorted(data, key=order)


# --- Programs ------------------------------------------------------------------

def value(r):
    return r.choice([0, 1, -1, r.randint(-10, 10), r.randint(-5000, 5000),
                     r.randint(0, 200), 2**63 - 1, -2**63,
                     2**r.randint(0, 62), -2**r.randint(0, 62)])


def some_histogram(r, increments):
    """A histogram, statements that fill it, and what is in it by key."""
    h = r.choice([Quantize, Lquantize, Llquantize])(r)
    data, statements = {}, []
    for _ in range(r.randint(1, 20)):
        key, v, n = r.choice('abc'), value(r), increments(r)
        data.setdefault(key, [0] * len(h.values))[h.bucket(v)] += n or 1
        args = [v] + h.args(r, n) + ([n] if n else [])
        statements.append('@["%s"] = %s(%s);' % (
            key, h.name, ', '.join(map(literal, args))))
    return h, data, statements


def increments(r):
    return r.choice([lambda r: None, lambda r: r.randint(1, 100),
                     lambda r: -r.randint(1, 100),
                     lambda r: r.choice([-1, 1]) * r.randint(1, 50),
                     lambda r: r.randint(2**50, 2**57)])


def histogram_program(r):
    h, data, statements = some_histogram(r, increments(r))
    normal, zoom = r.choice([1, 1, 2, 7]), r.random() < .3
    statements.append(f'normalize(@, {normal});')
    text = ''.join('  %-50s%s\n' % (k, histogram(h, data[k], normal, zoom))
                   for k in by_weight(h, data))
    return ['-xaggzoom'] * zoom, statements, '\n' + text


def packed_program(r):
    h, data, statements = some_histogram(r, increments(r))
    zoom = r.random() < .3
    return ['-xaggpack'] + ['-xaggzoom'] * zoom, statements, \
        '\n' + packed(h, data, zoom)


def bars_program(r):
    sign, zoom = r.choice([-1, 0, 1]), r.random() < .5
    data, statements = {}, []
    for key in range(r.randint(1, 6)):
        v = r.randint(-1000, 1000)
        data[key] = abs(v) * sign if sign else v
        statements.append(f'@[{key}] = sum({data[key]});')
    graph = Graph(list(data.values()), zoom, to_edge=True)
    text = '\n%17s %41s %-9s\n' % ('key', HEAD, 'count')
    for key in sorted(data, key=lambda k: (data[k], k)):
        text += '%17d %s %-9d\n' % (key, graph.bar(data[key]), data[key])
    return ['-xagghist'] + ['-xaggzoom'] * zoom, statements, '\n' + text


def joined_program(r):
    """Several aggregations side by side, in every order."""
    names = 'xyz'[:r.randint(1, 3)]
    data, statements = {n: {} for n in names}, []
    for n in list(names) + r.choices(names, k=r.randint(0, 12)):
        key = (r.randint(-2, 2), r.choice(['a', 'b', 'B', 'aa', '']))
        v = r.randint(-3, 3)
        data[n][key] = data[n].get(key, 0) + v
        statements.append('@%s[%d, "%s"] = sum(%d);' % (n, *key, v))
    by_key, back = r.random() < .4, r.random() < .3
    pos, keypos = r.randrange(len(names)), r.randrange(2)

    def order(key):
        keys, main = key[keypos:] + key[:keypos], data[names[pos]].get(key, 0)
        return (keys, main) if by_key else (main, keys)
    text = ''
    for key in sorted(set().union(*data.values()), key=order, reverse=back):
        values = (str(data[n].get(key, 0)) for n in names)
        text += f'{key[0]} [{key[1]}] ' + ' '.join(values) + '\n'
    statements.append('printa("%%d [%%s] %s\\n", %s);' % (
        ' '.join('%@d' for _ in names), ', '.join('@' + n for n in names)))
    flags = [f'-xaggsortpos={pos}', f'-xaggsortkeypos={keypos}']
    flags += ['-xaggsortkey'] * by_key + ['-xaggsortrev'] * back
    return flags, statements, text + '\n'


def main():
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    kinds = [histogram_program, histogram_program, packed_program,
             bars_program, joined_program]
    for n in range(count):
        flags, statements, want = kinds[n % len(kinds)](
            random.Random(seed * 1000003 + n))
        program = 'BEGIN { ' + ' '.join(statements) + ' exit(0); }'
        got = subprocess.run([os.environ['DTRACE'], '-q', *flags, '-n',
                              program], stdout=subprocess.PIPE, text=True)
        if got.stdout == want:
            continue
        print(' '.join(flags), program)
        print(*difflib.unified_diff(want.split('\n'), got.stdout.split('\n'),
                                    'want', 'got', lineterm=''), sep='\n')
        return 1
    print(count, 'programs')
    return 0


sys.exit(main())
