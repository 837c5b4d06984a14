# A probe that a program reaches only while another one is traced, too, fires without that;
# the other is told of its tracers, and fires for those that asked for it.  Of a program that is
# not known for that nothing more is touched.
cp "${WORKLOAD%/*}/needs" python3.11
cp "${WORKLOAD%/*}/needs" other
entry='::function-entry { @[probename] = count(); }'
line='::line { @[probename] = count(); }'
"$DTRACE" -qn "python\$target:$entry" -c ./python3.11 | grep .
"$DTRACE" -qn "python\$target:$entry python\$target:$line" -c ./python3.11 | grep .
"$DTRACE" -x usdtwait=stop -Zqn "python\$target:$entry" -c "env ./python3.11" | grep .
"$DTRACE" -qn "python\$target:$line" -c ./python3.11 | grep .
"$DTRACE" -qn "python\$target:$entry" -c ./other | grep .
./python3.11
