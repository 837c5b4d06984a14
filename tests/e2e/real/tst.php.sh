# PHP: the flow of a script, what it throws, what it reads and answers.
# needs: php readelf
readelf -n "$(readlink -f "$(command -v php)")" 2>/dev/null | grep -q stapsdt ||
	{ echo "this php was built without probes"; exit 77; }
export USE_ZEND_DTRACE=1
cat >a.php <<'END'
<?php
function add($a, $b) { return $a + $b; }
class K { static function m() { throw new Exception("boo"); } }
for ($i = 0; $i < 3; $i++) add($i, 1);
try { K::m(); } catch (Exception $e) { }
END
"$DTRACE" -qn '
	php$target:::function-entry, php$target:::function-return
	{ printf("%s %s%s%s %s:%d\n", substr(probename, 9), copyinstr(arg3),
		copyinstr(arg4), copyinstr(arg0), basename(copyinstr(arg1)), arg2); }
	php$target:::exception-thrown { printf("%s %s\n", probename, copyinstr(arg0)); }
	php$target:::exception-caught { printf("%s\n", probename); }
	php$target:::compile-file-entry { printf("compile %s\n", basename(copyinstr(arg0))); }
	php$target:::request-startup, php$target:::request-shutdown
	{ printf("%s %s\n", probename, basename(copyinstr(arg0))); }
	' -c "php -n a.php" | grep .
