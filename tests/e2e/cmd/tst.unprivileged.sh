# needs: setpriv
# Without privileges: a plain message, not a verifier's.
setpriv --bounding-set=-all --inh-caps=-all "$DTRACE" -n 'BEGIN { exit(0); }'
echo "status $?"
