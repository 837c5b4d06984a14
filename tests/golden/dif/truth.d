BEGIN { trace(pid > 1); trace(!pid); trace(pid && tid || uid); trace(pid ^^ tid); trace(pid ? tid : uid); }
