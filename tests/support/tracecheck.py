#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tracecheck.py FILE [EXPRESSION]: output of -O perfetto is JSON; each event has
what its phase needs and nothing else; slices of a thread lie within each other.
Then print the value of a Python expression in which `events` is the list of them,
and `of(phase)` are those of a phase."""
import json
import pathlib
import sys

NEEDS = {'X': {'dur', 'cat'}, 'i': {'s'}, 'C': set(), 'M': set()}
NUMBERS = {'ts', 'pid', 'tid', 'dur'}


def wrong_events(events):
    for e in events:
        needs = NEEDS.get(e.get('ph'), set()) | {'ph', 'ts', 'pid', 'tid', 'name', 'args'}
        if needs - e.keys() or e.keys() - needs - {'cat'}:
            yield f'{e}: not {needs}'
        elif not all(isinstance(e[n], (int, float)) and e[n] >= 0 for n in NUMBERS & e.keys()):
            yield f'{e}: a number that is none'
        elif e['ph'] == 'i' and e['s'] not in ('g', 't'):
            yield f'{e}: scope'


def wrong_slices(events):
    threads = {}
    for e in events:
        if e['ph'] == 'X':
            threads.setdefault(e['tid'], []).append((e['ts'], -e['ts'] - e['dur'], e['name']))
    for tid, slices in threads.items():
        ends = []
        for start, end, name in sorted(slices):
            while ends and ends[-1] <= start:
                ends.pop()
            if ends and -end > ends[-1] + 1e-3:
                yield f'{name} of thread {tid}: ends behind the one around it'
            ends.append(-end)


def main():
    document = json.loads(pathlib.Path(sys.argv[1]).read_bytes().decode('utf-8'))
    events = document['traceEvents']
    wrong = list(wrong_events(events)) or list(wrong_slices(events))
    for line in wrong[:10]:
        print(line)
    if len(sys.argv) > 2:
        print(eval(f'({sys.argv[2]})', {'events': events,
                                        'of': lambda p: [e for e in events if e['ph'] == p]}))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
