
   0xffff[0-9a-f]{12}
   0xffff[0-9a-f]{12}

