# needs: python3
# A process makes probes as it runs; others find them by its files and trace them, in
# all threads; they are seen no more when they are hidden, even as they fire.
[ -e /sys/bus/event_source/devices/uprobe/type ] || { echo 'no uprobes'; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$HERE/dynamic.py" "${DTRACE%/src/cmd/dtrace}/tests/support/dynamic"
