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
    # getppid() and here() stand before what the program tells; with 32 bits what the kernel
    # gives each process makes the call.
    before = 2 + name.endswith('narrow')
    for (shape, *callers), frames in zip(want, got):
        if frames[before:] != callers[:100 - before]:
            bad += 1
            print(f'{name}: {shape}: {" ".join(frames)}, not ... ... '
                  f'{" ".join(callers)}')
    print(f'{name}: {len(want) - bad} of {len(want)} stacks')
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
