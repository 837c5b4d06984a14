#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""jsoncheck.py [--lines] FILE [EXPRESSION]: hold output of -O json, or with
--lines of -O jsonl, against doc/spec/json.schema.json, with as much of JSON
Schema as that uses.  Then print the value of a Python expression in which
`events` is the list of them, `firings` are those of probes, and `outputs` all
that these have shown."""
import json
import pathlib
import re
import sys

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] /
                     'doc/spec/json.schema.json').read_text())
TYPES = {'object': dict, 'array': list, 'string': str, 'integer': int,
         'number': (int, float), 'null': type(None)}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and not isinstance(value, bool)


def object_faults(value, rule, where):
    known = rule.get('properties', {})
    for name in rule.get('required', ()):
        if name not in value:
            yield f'{where}: no {name}'
    if rule.get('additionalProperties') is False:
        for name in value.keys() - known.keys():
            yield f'{where}: {name} is not known'
    if not rule.get('minProperties', 0) <= len(value) <= rule.get('maxProperties', 1e9):
        yield f'{where}: {len(value)} members'
    for name in value.keys() & known.keys():
        yield from faults(value[name], known[name], f'{where}.{name}')


def faults(value, rule, where='$'):
    """What is wrong with a value, as texts."""
    if '$ref' in rule:
        rule = SCHEMA['$defs'][rule['$ref'].rsplit('/', 1)[1]]
    if 'anyOf' in rule:
        tried = [list(faults(value, r, where)) for r in rule['anyOf']]
        if all(tried):
            yield f'{where}: none fits; nearest: {min(tried, key=len)}'
        return
    if 'const' in rule and (value != rule['const'] or type(value) != type(rule['const'])):
        yield f'{where}: {value!r} is not {rule["const"]!r}'
    if 'enum' in rule and value not in rule['enum']:
        yield f'{where}: {value!r}'
    if 'type' not in rule:
        return
    if not is_type(value, rule['type']):
        yield f'{where}: {value!r:.60} is no {rule["type"]}'
        return
    if 'pattern' in rule and not re.search(rule['pattern'], value):
        yield f'{where}: {value!r:.60} is not {rule["pattern"]}'
    if value is not None and not isinstance(value, (str, list, dict)) and value < rule.get('minimum', value):
        yield f'{where}: {value}'
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from faults(item, rule.get('items', {}), f'{where}[{i}]')
    if isinstance(value, dict):
        yield from object_faults(value, rule, where)


def once(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f'a member twice: {names}')
    return dict(pairs)


def no_number(text):
    raise ValueError(f'{text} is not JSON')


def loads(text):
    return json.loads(text, object_pairs_hook=once, parse_constant=no_number)


def read(path, lines):
    """The events of a file; ValueError when it is not what it should be."""
    text = (sys.stdin.buffer.read() if path == '-' else
            pathlib.Path(path).read_bytes()).decode('utf-8')
    if lines and text and not text.endswith('\n'):
        raise ValueError('the last line is cut')
    event = {'$ref': '#/$defs/event'}
    found = [loads(line) for line in text.split('\n')[:-1]] if lines else loads(text)
    wrong = [w for i, e in enumerate(found) for w in faults(e, event, f'line {i + 1}')] \
        if lines else list(faults(found, SCHEMA))
    if wrong:
        raise ValueError('\n'.join(wrong[:10]))
    return found if lines else found['dtrace']['probes']


def main():
    args = sys.argv[1:]
    lines = args[0] == '--lines' and bool(args.pop(0))
    try:
        events = read(args[0], lines)
    except ValueError as e:
        print(f'{args[0]}: {e}')
        return 1
    firings = [e for e in events if e['id'] != -1]
    outputs = [o for e in firings for o in e['output']]
    if len(args) > 1:
        print(eval(f'({args[1]})', {'events': events, 'firings': firings, 'outputs': outputs,
                             're': re, 'json': json}))
    return 0


if __name__ == '__main__':
    sys.exit(main())
