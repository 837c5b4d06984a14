# SPDX-License-Identifier: BSD-2-Clause
"""What a test says, as TAP."""
import sys

count = failed = 0


def say(good, what, *why):
    global count, failed
    count += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {count} - {what}")
    for line in () if good else why:
        print('#  ', line)


def skip(what, why):
    global count
    count += 1
    print(f'ok {count} - {what} # SKIP {why}')


def end():
    print(f'1..{count}')
    sys.exit(bool(failed))
