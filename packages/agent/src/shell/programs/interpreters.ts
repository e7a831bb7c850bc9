import type { Program } from '../program.ts'

const INLINE = 'runs code that is written in the command, or loads more'
const INPUT = 'runs code that comes in'

/** Programs that run files of code: a file is their plain use, code in the command is not. */
export const interpreters: readonly Program[] = [
  {
    names: `
      sh bash dash zsh ksh mksh ash rbash yash posh fish csh tcsh elvish nu xonsh pwsh
      powershell osh bosh oksh loksh sash rzsh rksh`,
    operands: { rest: 'read' },
    only: '-e -u -x -v -n -f --norc --noprofile --posix --version --help',
    reach: { [INLINE]: '-c= --command= -s -i -l -O= -o= --login --rcfile= --init-file= -Command=' },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -V --help',
    operandReach: { 'sets options of the shell': /^\+/, [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
    wrapper: { text: '-c= --command= -Command=', input: true },
  },
  {
    names: 'python python2 python3 pypy pypy3 jython micropython ipython ipython3 cython',
    operands: { first: 'read', rest: 'mention' },
    only: '-u -B -O -V -v -q -s -E -I -S --version --help -h -b -d',
    reach: { [INLINE]: '-c= -m= -i -X= -W= -x --check-hash-based-pycs=' },
    operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -V --help -m= -c=',
    ends: '-m= -c=',
  },
  {
    names: 'node nodejs deno bun tsx ts-node esno jiti iojs qjs d8 txiki',
    operands: { first: 'read', rest: 'mention' },
    only: `
      -v --version -h --help --test --watch --no-warnings --trace-warnings
      --enable-source-maps -c --check --stack-trace-limit= --max-old-space-size=
      --experimental-strip-types --trace-deprecation --no-deprecation`,
    reach: {
      [INLINE]: `
      -e= --eval= -p= --print= -r= --require= --import= --loader= --experimental-loader= -i
      --interactive --env-file= --run= -C= --inspect --inspect-brk`,
    },
    operandReach: {
      [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/,
      'runs code from elsewhere': /^(?:https?|npm|jsr|data|file):/,
      'runs another command of its own':
        /^(?:eval|run|x|exec|repl|task|install|compile|add|upgrade|create|link|pm|dlx)$/,
    },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -v --help -h --test',
  },
  {
    names: `
      perl ruby irb jruby php lua luajit Rscript R julia groovy guile racket sbcl clisp ecl
      scheme gsi chicken csi elixir iex erl escript ghci runghc runhaskell ocaml swipl tclsh
      wish expect jrunscript jjs jshell scala kotlin clojure clj bb octave gnuplot bc dc m4
      raku perl6 crystal nim swift dart janet gst rscript jexec cscript wscript osascript
      autoit rebol picolisp newlisp fennel hy coffee livescript lsc php-cgi phpdbg hhvm zx
      fasm setlx maxima sage polyml mit-scheme gosh chez`,
    operands: { first: 'read', rest: 'mention' },
    only: '-v -V --version -w -c -h --help -q',
    operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -V --help',
  },
  {
    names: 'java javaw dotnet mono wine wine64 qemu wasmtime wasmer wasm3 jbang erlc iverilog vvp',
    oneDash: true,
    operands: { rest: 'mention' },
    always: 'runs a program that the rule does not name',
  },
]
