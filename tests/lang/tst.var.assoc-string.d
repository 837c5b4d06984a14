/* flags: -q
 * Strings as keys are compared by their text, wherever it comes from. */
BEGIN { a["abc"] = "first"; a[strjoin("a", "bd")] = "second"; }
BEGIN { printf("%s %s [%s]\n", a[substr("xabc", 1)], a["abd"], a["ab"]); }
BEGIN { a["abc"] = a["abd"]; a["abd"] = "changed"; }
BEGIN { printf("%s %s\n", a["abc"], a["abd"]); }
BEGIN { a["abc"] = NULL; printf("[%s]\n", a["abc"]); exit(0); }
