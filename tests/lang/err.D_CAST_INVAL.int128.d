/* A type of which only the size is known is no number. */
BEGIN { trace((__int128)1); }
