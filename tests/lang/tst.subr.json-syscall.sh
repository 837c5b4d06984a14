# A document that a process hands to the kernel, here as the name of a file.
cat > script.d <<'END'
#pragma D option strsize=4096

syscall::openat:entry
/progenyof($target) && substr(copyinstr(arg1), 0, 1) == "{"/
{
	@[json(copyinstr(arg1), "ok.val")] = count();
}

syscall::openat:entry
/progenyof($target) && json(copyinstr(arg1), "ok.list[2].name") != NULL/
{
	printf("%s\n", json(copyinstr(arg1), "ok.list[2].name"));
}
END
cat > calls <<'END'
#!/bin/sh
cat '{"ok":{"val":7}}'
cat '{"err":0, "ok":{"val":7, "list":[1, {}, {"name":"third"}]}}'
cat '{"ok":{"other":[1,2], "val":8}}'
END
chmod +x calls
"$DTRACE" -qs script.d -c ./calls 2> /dev/null
