# Probes that exist once they are mentioned.
"$DTRACE" -l -n tick-123ms -n profile-77hz | awk 'NR > 1 { print $2, $NF }'
