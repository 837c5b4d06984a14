# timeout: 90
# Events of the kernel, by one, are what it counts of a process; each is where a
# process was or where the kernel was.
cat >script <<'END'
#pragma D option quiet
int n, on;
syscall::getrusage:entry /pid == $target/ { on = 0; }
syscall::getrusage:return /pid == $target/ { on = n++; }
cpc:::page_faults-all-1, cpc:::page_faults-user-1, cpc:::page_faults-kernel-1,
cpc:::minor_faults-all-1, cpc:::major_faults-all-1
/pid == $target && on/
{ @[on, probename] = count(); @both[on] = sum(!arg0 == !arg1); }
cpc:::page_faults-user-1 /pid == $target && on && !arg1/ { @both[on] = sum(1); }
cpc:::page_faults-kernel-1 /pid == $target && on && !arg0/ { @both[on] = sum(1); }
END { printa("%d %s %@d\n", @); printa("%d both %@d\n", @both); }
END
"$DTRACE" -s script -c "python3 $HERE/../vminfo/faults.py" -o seen >counted
cat >compare <<'END'
have = {}
for line in open('seen'):
    part = line.split()
    if len(part) == 3:
        have[int(part[0]), part[1]] = int(part[2])
for i, faults, major in (map(int, l.split()) for l in open('counted')):
    get = lambda name, mode='all': have.get((i, f'{name}-{mode}-1'), 0)
    print(i, get('page_faults') - faults, get('major_faults') - major,
          get('minor_faults') - (faults - major),
          get('page_faults', 'user') + get('page_faults', 'kernel') - faults,
          have[i, 'both'])
END
python3 compare
awk '$1 == 2 { print ($2 >= 700) }' counted
