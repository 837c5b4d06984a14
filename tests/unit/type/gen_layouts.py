#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Print a C function for each of many made-up structs and unions, and one,
check_layouts(), that calls them all.

Each function declares the struct to the C compiler, describes the same to
mktype_sou(), notes where the compiler put each member, and has compare()
look at both.  The first are every pair of bit-fields of a few widths, the
rest are random from a fixed seed.
"""
import random

# name: (C, bits)
TYPES = {'char': ('char', 8), 'uchar': ('unsigned char', 8),
         'short': ('short', 16), 'ushort': ('unsigned short', 16),
         'int': ('int', 32), 'uint': ('unsigned int', 32),
         'long': ('long', 64), 'ulong': ('unsigned long', 64),
         'llong': ('long long', 64), 'bool': ('_Bool', 1),
         'float': ('float', 0), 'double': ('double', 0),
         'ldouble': ('long double', 0), 'caddr_t': ('char *', 0)}
BITS = [name for name, (_, bits) in TYPES.items() if bits]


def pairs():
    fields = [('char', 3), ('char', 8), ('short', 9), ('short', 16),
              ('int', 1), ('int', 25), ('int', 32), ('long', 33),
              ('long', 64), ('bool', 1)]
    for a in fields:
        for b in fields:
            yield [(a[0], 'a', a[1]), (b[0], 'b', b[1]), ('char', 'c', None)]


def attributes(rng):
    """What GNU C may say of a member: (packed, aligned or 0)."""
    return rng.random() < 0.2, rng.choice([0, 0, 0, 0, 1, 2, 4, 8, 16, 32])


def member(rng, i):
    """(type, name or None, width or None)"""
    what = rng.random()
    if what < 0.35:
        return rng.choice(list(TYPES)), f'm{i}', None
    name = rng.choice(BITS)
    if what < 0.9:
        return name, f'm{i}', rng.randint(1, TYPES[name][1])
    return name, None, rng.randint(0, TYPES[name][1])


def words(packed, aligned):
    text = ' __attribute__((packed))' if packed else ''
    return text + (f' __attribute__((aligned({aligned})))' if aligned else '')


def function(i, sou, row, attrs=None, pack=0, packed=False):
    """attrs: one pair for each of row; pack: of the pragma; packed: all are."""
    attrs = attrs or [(False, 0)] * len(row)
    print(f'static void\nlayout_{sou}_{i}(struct arena *a)\n{{')
    if pack:
        print(f'#pragma pack(push, {pack})')
    print(f'\t{sou} {{')
    for (ctype, name, width), attr in zip(row, attrs):
        bits = '' if width is None else f' : {width}'
        print(f'\t\t{TYPES[ctype][0]} {name or ""}{bits}{words(*attr)};')
    print(f'\t}}{words(packed, 0)} v;')
    if pack:
        print('#pragma pack(pop)')
    print('\tstatic const struct type_member m[] = {')
    for (ctype, name, width), (is_packed, align) in zip(row, attrs):
        text = f'"{name}"' if name else 'NULL'
        bits = {None: 0, 0: 'UINT32_MAX'}.get(width, width)
        print(f'\t\t{{ {text}, &type_{ctype}, 0, {bits}, {pack}, '
              f'{int(is_packed or packed)}, {align} }},')
    print('\t};\n\tstruct place where[] = {')
    for ctype, name, width in row:
        if name and width is None:
            print(f'\t\t{{ offsetof(__typeof__(v), {name}) * 8, 0 }},')
        else:
            print('\t\t{ 0, 0 },')
    print('\t};')
    for j, (ctype, name, width) in enumerate(row):
        if name and width is not None:
            print(f'\tmemset(&v, 0, sizeof(v));\n\tv.{name} = all_ones;')
            print(f'\twhere[{j}] = find_bits(&v, sizeof(v));')
    print(f'\tcompare("{sou} {i}", mktype_sou(a, TYPE_{sou.upper()}, NULL,')
    print(f'\t\tm, {len(row)}), where, sizeof(v),')
    print('\t\t_Alignof(__typeof__(v)));\n}\n')


def main():
    rng = random.Random(1)
    rows = list(pairs())
    for _ in range(200):
        rows.append([member(rng, i) for i in range(rng.randint(1, 7))]
                    + [('char', 'last', None)])
    for i, row in enumerate(rows):
        function(i, 'struct', row)
        function(i, 'union', row)
    plain = len(rows)
    for i in range(plain, plain + 300):
        row = [member(rng, j) for j in range(rng.randint(1, 7))]
        row.append(('char', 'last', None))
        attrs = [attributes(rng) if name else (False, 0)
                 for _, name, _ in row]
        attrs = [(is_packed and TYPES[ctype][1] > 8, align)
                 for (ctype, _, _), (is_packed, align) in zip(row, attrs)]
        pack = rng.choice([0, 0, 1, 2, 4, 8, 16])
        packed = rng.random() < 0.4
        function(i, 'struct', row, attrs, pack, packed)
        function(i, 'union', row, attrs, pack, packed)
        rows.append(row)
    print('static void\ncheck_layouts(struct arena *a)\n{')
    for i in range(len(rows)):
        print(f'\tlayout_struct_{i}(a);\n\tlayout_union_{i}(a);')
    print('}')


main()
