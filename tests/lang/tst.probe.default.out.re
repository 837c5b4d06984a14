CPU     ID                    FUNCTION:NAME
 +\d+      1                           :BEGIN 
 +\d+      1                           :BEGIN 
 +\d+      1                           :BEGIN 
 +\d+      1                           :BEGIN 
 +\d+      2                             :END 

