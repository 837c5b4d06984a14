/* No clause-local associative arrays. */
this int a[int];
