# A request that the driver gives back, and gets again, starts once.
# timeout: 60
[ "$E2E_BUSY_DISK" ] || { echo "no disk of its own"; exit 77; }
knobs=/sys/bus/pseudo/drivers/scsi_debug
name=${E2E_BUSY_DISK#/dev/}
cat >script <<'END'
#pragma D option quiet
io:::start /args[1]->dev_statname == $$1/ { started[arg0]++; n++; }
io:::done /args[1]->dev_statname == $$1/
{
	@[args[0]->b_bcount, started[arg0], args[0]->b_error] = count();
	started[arg0] = 0;
	done++;
}
sdt:::block_rq_requeue { again++; }
dtrace:::END
{
	printa("%d bytes, started %d, error %d: %@d\n", @);
	printf("%d more have started, requests have come again: %s\n", n - done,
	    again > 5 ? "yes" : "no");
}
END
# Each third request the host is busy.
echo 3 >$knobs/every_nth
echo 0x8000 >$knobs/opts
"$DTRACE" -s script $name -c "dd if=$E2E_BUSY_DISK of=/dev/null bs=4k count=50
	iflag=direct status=none"
echo 0 >$knobs/opts
echo 0 >$knobs/every_nth
