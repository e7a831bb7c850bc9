# Runs shell texts one by one. Prints its own process id first, then reads texts that end with NUL, and prints "done" after each.
ulimit -f 32768
set -m
echo $$ >&4
while IFS= read -r -d '' text <&3; do
  /bin/bash --noprofile --norc -c "$text" </dev/null >/dev/oracle/printed 2>&1 3<&- 4>&-
  echo done >&4
done 2>/dev/null
