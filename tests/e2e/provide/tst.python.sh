# needs: python3
# The example of Python's works as it stands.
[ -e /sys/bus/event_source/devices/uprobe/type ] || { echo 'no uprobes'; exit 77; }
export LD_LIBRARY_PATH=${DTRACE%/src/cmd/dtrace}/src/usdt PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH=$HERE:$HERE/../../../doc/examples
python3 - <<'END'
import os
import notes
import probes

provider = probes.Provider('pytest')
work = provider.probe('work__done', 'char *, int')
provider.show()
folder = '/proc/self/map_files'
path = next(f'{folder}/{name}' for name in sorted(os.listdir(folder))
            if 'dtrace-usdt-pytest' in os.readlink(f'{folder}/{name}'))
found, = notes.probes(path)
print(found.provider, found.name, work.enabled())
uprobe = notes.Uprobe(path, found)
for i in range(7):
    work('text', -i)
print(work.enabled(), uprobe.hits())
uprobe.close()
work('unseen', 1)
provider.hide()
print(work.enabled())
END
python3 "$HERE/../../../doc/examples/probes.py" 2 && echo ended
