import { type Program, type Usage, list } from '../program.ts'

/**
 * The modules of Python's standard library in all versions, and modules that these or the
 * interpreter may try to load.
 */
const NAMES = `
  abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex
  bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
  compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
  decimal difflib dis distutils doctest dummy_threading email encodings ensurepip enum errno faulthandler fcntl filecmp
  fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib
  heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
  locale logging lzma macpath macurl2path mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb
  pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile profiling pstats pty pwd py_compile
  pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants
  sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile
  telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty
  turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound
  wsgiref xdrlib xml xmlrpc xxlimited xxsubtype zipapp zipfile zipimport zlib zoneinfo
  sitecustomize usercustomize apport apport_python_hook apt apt_pkg problem_report org java javax com jarray cffi pypyjit
  identity_dict greenlet UserDict UserList UserString StringIO cStringIO cPickle ConfigParser Queue copy_reg commands new sets
  strop thread dummy_thread exceptions future_builtins hotshot htmlentitydefs md5 sha popen2 pyexpat repr rfc822 user
  gestalt MacOS ce os2 riscos riscosenviron riscospath vms_lib`

const names = new Set(list(NAMES).map((name) => name.toLowerCase()))

const INLINE = 'runs code in its arguments or loads more'
const INPUT = 'runs code from its input'
const ELSEWHERE = 'runs code from elsewhere'
const ADDRESS = /^[a-z][a-z\d+.-]+:/i

/** A file, not a subcommand such as `node inspect`. */
const FILE = /[./]/

/** Accepts only a file of code. */
const script: Usage = {
  operands: { first: 'read', rest: 'mention' },
  operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
  plainFirst: FILE,
  early: true,
  opaque: true,
  bare: INPUT,
  bareFine: '--version -V --help',
}

const denoCheck: Usage = {
  operands: { rest: 'mention', folder: [{}] },
  options: '--check --fix --quiet -q --json --rules --compact --no-lock',
}

/** Programs that run files of code. A file is their plain use; code in arguments is not. */
export const interpreters: readonly Program[] = [
  {
    names: `
      sh bash dash zsh ksh mksh ash rbash yash posh csh tcsh osh bosh oksh loksh sash rzsh rksh`,
    operands: { rest: 'read' },
    options: '-e -u -x -v -n -f --norc --noprofile --posix --version --help',
    reach: { [INLINE]: '-c= --command= -s -i -l -O= -o= --login --rcfile= --init-file=' },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -V --help',
    operandReach: { 'sets options of the shell': /^\+/, [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
    wrapper: { text: '-c= --command=', input: true },
  },
  {
    // Their options differ: `nu -e` and `pwsh -e` run the next word.
    names: 'fish elvish nu xonsh pwsh powershell',
    operands: { rest: 'read' },
    options: '--version --help',
    reach: { [INLINE]: '-c= --command= --commands= -C= --init-command= -e= --execute= -Command=' },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version --help',
    operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
    wrapper: { text: '-c= --command= --commands= -e= --execute= -Command=', input: true },
  },
  {
    names: 'python python2 python3 pypy pypy3 jython micropython',
    operands: { first: 'read', rest: 'mention' },
    options: '-u -B -O -V -v -q -s -E -I -S --version --help -h -b -d',
    reach: { [INLINE]: '-c= -m= -i -X= -W= -x --check-hash-based-pycs=' },
    operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/ },
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -V --help -m= -c=',
    ends: '-m= -c=',
    // A rule that contains the module covers the plain use of that program.
    wrapper: {
      module: '-m=',
      nameable: true,
      loads: {
        files: /\.(?:pyc?|pyd|so)$/i,
        unless: '-I',
        except: /^(?:pytest|unittest|nose2|tox|nox|coverage|doctest)$/,
        own: { modules: /^json\.tool$/, isNeeded: isInPythonLibrary },
      },
    },
  },
  {
    names: 'json.tool',
    operands: { first: 'read', rest: 'write' },
    input: 'data',
    options:
      '--sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent --compact -h --help',
  },
  {
    names: 'node nodejs iojs tsx ts-node esno jiti qjs d8 txiki',
    operands: { first: 'read', rest: 'mention' },
    options: `
      -v --version -h --help --test --test-only --test-name-pattern= --test-skip-pattern=
      --test-concurrency= --test-timeout= --test-force-exit --watch --no-warnings --trace-warnings
      --enable-source-maps --check --stack-trace-limit= --max-old-space-size= --unhandled-rejections=
      --experimental-strip-types --no-strip-types --experimental-test-coverage
      --trace-deprecation --no-deprecation --throw-deprecation --trace-uncaught
      --test-reporter=spec|tap|dot|junit|lcov`,
    reach: {
      [INLINE]: `
      -e= --eval= -p= --print= -r= --require= --import= --loader= --experimental-loader= -i
      --interactive --env-file= --run= -C= --inspect[=] --inspect-brk[=] -c`,
    },
    operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/, [ELSEWHERE]: ADDRESS },
    plainFirst: FILE,
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -v --help -h --test',
  },
  {
    names: 'deno bun',
    obeys: 'folder',
    commands: {
      test: {
        operands: { rest: 'read' },
        options:
          '--timeout= --bail[=] -t= --test-name-pattern= --filter= --fail-fast[=] --quiet -q --parallel --coverage --rerun-each= --only --todo --shuffle[=]',
      },
      check: denoCheck,
      lint: { ...denoCheck, writesWith: '--fix' },
      fmt: { ...denoCheck, writesUnless: '--check' },
      run: {
        operands: { first: 'read', rest: 'mention' },
        early: true,
        options: '',
        plainFirst: FILE,
      },
    },
    options: '-v --version -h --help --revision',
    operands: { first: 'read', rest: 'mention' },
    operandReach: { [INPUT]: /^-$|^\/dev\/(?:stdin|fd)/, [ELSEWHERE]: ADDRESS },
    plainFirst: FILE,
    early: true,
    opaque: true,
    bare: INPUT,
    bareFine: '--version -v --help -h --revision',
  },
  {
    names: 'perl',
    ...script,
    options: '-w -W -X -T -t -c -v -V --version --help -h',
  },
  {
    names: 'ruby jruby',
    ...script,
    options: '-w -W[=] -c -v -d --version --help -h --verbose --yjit --jit',
  },
  { names: 'php', ...script, options: '-l -v -q -n --version --help -h --syntax-check' },
  {
    names: 'lua luajit Rscript julia elixir swift dart raku',
    ...script,
    options: '-v --version --help -h',
  },
  {
    // Many of them also read options after the file, and write to a second file: `dc x.dc -e
    // '!cmd'`, `fasm a b`.
    names: `
      ipython ipython3 cython irb R groovy guile racket sbcl clisp ecl scheme gsi chicken csi iex erl escript ghci runghc
      runhaskell ocaml swipl tclsh wish expect jrunscript jjs jshell scala kotlin clojure clj bb
      octave gnuplot bc dc m4 perl6 crystal nim janet gst rscript jexec cscript wscript osascript
      autoit rebol picolisp newlisp fennel hy coffee livescript lsc php-cgi phpdbg hhvm zx fasm
      setlx maxima sage polyml mit-scheme gosh chez`,
    ...script,
    early: false,
    operands: { first: 'read', rest: 'write' },
    options: '--version --help',
  },
  {
    names: 'java javaw dotnet mono wine wine64 qemu wasmtime wasmer wasm3 jbang erlc iverilog vvp',
    oneDash: true,
    operands: { rest: 'mention' },
    always: 'runs another program',
  },
]

/**
 * True if a file or folder may be loaded in place of a module of the library: `json.cpython-311.so`
 * is `json`.
 */
function isInPythonLibrary(file: string): boolean {
  const [name = ''] = file.toLowerCase().split('.', 1)
  return name.startsWith('_') || names.has(name)
}
