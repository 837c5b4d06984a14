# timeout: 90
# Faults are those that the kernel counts of a process: pages that are not there
# (700 are read), pages of a file that become a process's own (700 are written), pages
# that come from a disk, pages that are written at once.
cat >script <<'END'
#pragma D option quiet
int n, on;
syscall::getrusage:entry /pid == $target/ { on = 0; }
syscall::getrusage:return /pid == $target/ { on = n++; }
vminfo:::as_fault, vminfo:::prot_fault, vminfo:::maj_fault
/pid == $target && on/
{ @[on, probename] = sum(arg0); @more[on] = sum(arg1); }
END { printa("%d %s %@d\n", @); printa("%d pointer %@d\n", @more); }
END
"$DTRACE" -s script -c "python3 $HERE/faults.py" -o seen >counted
cat >compare <<'END'
import sys
have = {}
for line in open('seen'):
    part = line.split()
    if len(part) == 3:
        have[int(part[0]), part[1]] = int(part[2])
get = lambda i, name: have.get((i, name), 0)
for i, faults, major in (map(int, l.split()) for l in open('counted')):
    print(i, get(i, 'as_fault') + get(i, 'prot_fault') - faults,
          get(i, 'maj_fault') - major, get(i, 'pointer'))
# The interpreter may take a fault of its own meanwhile.
print(*(700 <= n < 710 for n in (get(1, "as_fault"), get(2, "prot_fault"),
                                 get(4, "as_fault"))))
# A file that may be in memory has no faults that wait for a disk.
import subprocess
kind = subprocess.run(['findmnt', '-no', 'FSTYPE', '-T', '.'],
                      stdout=subprocess.PIPE, text=True).stdout.strip()
print(kind in ('tmpfs', 'overlay') or get(3, "maj_fault") > 0)
END
python3 compare
