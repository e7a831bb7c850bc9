# Runs shell texts one by one and traces each to a separate file: bash writes every command it is about to run,
# with all its words expanded and quoted. No program exists, so there are no other effects.
#
# Arguments: the folder to exchange files with, the prefix of each line in a trace, the output of every program.
# Input: for each text its number, the exit status of its programs, and the text itself, each ending with NUL.
oracle_folder=$1 oracle_mark=$2 oracle_output=$3
set --
command_not_found_handle() { printf '%s\n' "$oracle_output"; ((oracle_status == 0)); }

oracle_run_all() {
  while IFS= read -r -d '' oracle_number && IFS= read -r -d '' oracle_status && IFS= read -r -d '' oracle_text; do
    (
      exec 250>"$oracle_folder/trace-$oracle_number" </dev/null >/dev/null 2>&1 || exit
      # An endless loop ends when its trace is full or its time limit is reached.
      ulimit -f 8 -t 1 -c 0
      BASH_XTRACEFD=250 PS4=$'\1'$oracle_mark
      set -x
      eval "$oracle_text"
    )
  done
  echo done >&4
}

# The pipe ends when all processes of all texts have ended. Processes left a second after the last text don't count.
oracle_run_all 4>&1 >/dev/null 2>&1 | { read -r && read -r -t 1; }
