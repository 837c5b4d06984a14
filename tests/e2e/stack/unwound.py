"""unwound.py NAME TOLD TRACED: the stacks that a run of tests/support/unwound.c told,
beside those that ustack() recorded of it."""
import re
import sys


def main():
    name, told, traced = sys.argv[1:]
    want = [line.split() for line in open(told)]
    got = [re.findall(r'0x([0-9a-f]+)', text)
           for text in open(traced).read().split('stack')[1:]]
    if len(got) != len(want):
        sys.exit(f'{name}: {len(got)} stacks, not {len(want)}')
    bad = 0
    # syscall() and here() stand before what the program tells.
    for (shape, *callers), frames in zip(want, got):
        if frames[2:] != callers[:98]:
            bad += 1
            print(f'{name}: {shape}: {" ".join(frames)}, not ... ... '
                  f'{" ".join(callers)}')
    print(f'{name}: {len(want) - bad} of {len(want)} stacks')
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
