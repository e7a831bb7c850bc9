import type { Program } from '../program.ts'
import { SAFE_ASSIGNMENT } from './assignments.ts'

/** The name of a variable that concerns only the text. */
const PLAIN_NAME = /^(?!.*proxy|npm_)[a-z]\w*$/
const CHANGES = 'changes how later commands behave'

/** Shell builtins. */
export const builtins: readonly Program[] = [
  { names: 'true false :', harmless: true, idle: true, operands: { rest: 'text' } },
  { names: 'break continue return exit', idle: true, operands: { rest: 'text' } },
  { names: 'echo', harmless: true, operands: { rest: 'text' } },
  { names: 'pwd times dirs', harmless: true, operands: { rest: 'text' } },
  { names: 'cd', idle: true, moves: true, options: '-L', operands: { rest: 'list' } },
  {
    names: 'pushd',
    still: true,
    moves: true,
    leaves: true,
    plainOperand: /^[^-+]/,
    bare: 'rotates the directory stack',
    operands: { rest: 'list' },
    operandReach: { 'rotates the directory stack': /^[-+]\d/ },
  },
  {
    names: 'popd',
    still: true,
    moves: true,
    returns: true,
    operandsReach: 'rotates the directory stack',
    operands: { rest: 'text' },
  },
  {
    names: 'read',
    idle: true,
    evaluates: true,
    sets: true,
    prefixes: 'IFS',
    options: '-r -s',
    plainOperand: PLAIN_NAME,
    bare: 'sets a variable of the shell',
    operands: { rest: 'text' },
  },
  {
    names: 'export',
    idle: true,
    evaluates: true,
    plainOperand: SAFE_ASSIGNMENT,
    bare: 'may show secrets in environment variables',
    operands: { rest: 'text' },
  },
  {
    names: 'test [',
    idle: true,
    oneDash: true,
    evaluates: true,
    options: `
      -a -b -c -d -e -f -g -h -k -n -o -p -r -s -t -u -w -x -z -G -L -N -O -S -eq -ne -lt -le -gt -ge
      -ef -nt -ot`,
    reach: { 'evaluates its operand': '-v= -R=' },
    operands: { rest: 'text' },
  },
  {
    names: 'printf',
    still: true,
    formats: true,
    evaluates: true,
    reach: { 'evaluates the name of the variable it sets': '-v=' },
    operandReach: { 'sets a variable': /(?<!%)(?:%%)*%[^%a-zA-Z\\]*[hlLjzt]*n/ },
    operands: { rest: 'text' },
  },
  {
    names: 'type which whereis',
    still: true,
    operands: { rest: 'text' },
    options: '-a -t -p -P -s -f -w -V --all --version',
  },
  {
    names: 'wait',
    idle: true,
    evaluates: true,
    reach: { 'evaluates the name of the variable it sets': '-p=' },
    operands: { rest: 'text' },
  },
  { names: 'jobs', still: true, options: '-l -p -r -s -n', operands: { rest: 'text' } },
  {
    // Stopping early, or at an error in a pipe, doesn't change the effect of later commands.
    names: 'set',
    idle: true,
    evaluates: true,
    options: '-e -u -o=pipefail|errexit|nounset',
    plainOperand: /^\+[eu]+$/,
    bare: 'may show secrets in environment variables',
    bareFine: '-e -u -o=',
    operands: { rest: 'text' },
  },
  { names: 'kill', evaluates: true, always: 'sends a signal', operands: { rest: 'text' } },
  {
    names: 'umask ulimit',
    evaluates: true,
    always: 'changes limits of the shell',
    operands: { rest: 'text' },
  },
  {
    names: `
      shift disown bg fg suspend logout getopts shopt bind complete compopt caller`,
    evaluates: true,
    always: CHANGES,
    operands: { rest: 'text' },
  },
  {
    names: `
      alias unalias hash enable declare typeset local readonly unset let mapfile
      readarray`,
    evaluates: true,
    always: CHANGES,
    operands: { rest: 'mention' },
  },
  {
    names: 'source .',
    always: 'runs a file in the current shell',
    operands: { rest: 'read' },
    wrapper: { here: true },
  },
  { names: 'history fc', always: 'writes files or runs earlier commands again' },
  { names: 'compgen', always: 'runs the command it is given', wrapper: { text: '-C= -F= -W=' } },
  { names: 'eval', always: 'runs its arguments as commands', wrapper: { joins: true, here: true } },
  {
    names: 'trap',
    always: 'runs its arguments as commands later',
    wrapper: { joins: true, here: true },
  },
  {
    names: `
      sleep seq basename dirname uname whoami nproc tty groups logname yes cal factor id`,
    harmless: true,
    operands: { rest: 'text' },
  },
  {
    // On macOS it runs the command that follows.
    names: 'arch',
    operandsReach: 'runs the command that follows',
    options: '--version --help',
    early: true,
    wrapper: {},
  },
  {
    names: 'date',
    still: true,
    reach: { 'sets the clock': '-s= --set=' },
    operandReach: { 'sets the clock': /^[^+]/ },
    files: { read: '-f= --file= -r= --reference=' },
    options:
      '-d= --date= -u -R -I[=] -j -v= -n --utc --universal --rfc-2822 --rfc-email --rfc-3339= --iso-8601[=] --resolution --debug --version --help',
    operands: { rest: 'text' },
  },
  {
    names: 'hostname domainname',
    still: true,
    operandsReach: 'sets the host name',
    options:
      '-s -f -d -i -I -A -a -y --short --fqdn --long --domain --ip-address --all-ip-addresses --all-fqdns --alias --version --help',
    reach: { 'loads other settings': '-F= --file= -b --boot' },
  },
  { names: 'printenv', always: 'may show secrets in environment variables' },
  { names: 'expr', still: true, operands: { rest: 'text' } },
]
