/* Actions of the consumer make a row; assignments and aggregations do not. */
BEGIN { x = 1; @ = sum(7); }
BEGIN { clear(@); }
BEGIN { normalize(@, 2); }
BEGIN { denormalize(@); }
BEGIN { trunc(@); }
BEGIN { printa(@); }
BEGIN { setopt("aggrate", "1s"); }
BEGIN { exit(0); }
