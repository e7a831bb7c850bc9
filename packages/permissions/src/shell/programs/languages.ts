import type { Program } from '../program.ts'

const WRITES = 'writes to another file'
/** `ENVIRON`, `ARGV` and the like are in capitals, which user-defined variables rarely are. */
const AWK_VARIABLE =
  /^(?!(?:NR|NF|FS|OFS|ORS|RS|FNR|CONVFMT|OFMT|SUBSEP|IGNORECASE|TEXTDOMAIN)=)[A-Z]\w*=/
const VARIABLE = 'reads another file into a variable'
/**
 * Applied to every operand, since the position of the filter varies: `yq '.x' f`, `yq e '.x' f`.
 */
const LEADS_OUT =
  /^(?!eval(?:-all)?$)[^]*(?:(?:env|load|eval)\w*\b|\b(?:import|include|input_filename|exec|system|get_search_list|modulemeta)\b)/i

/** Programs with a script in a small language. */
export const languages: readonly Program[] = [
  {
    names: 'sed gsed ssed',
    input: 'data',
    operands: { first: 'script', unless: '-e= --expression= -f= --file=', rest: 'read' },
    script: { options: '-e= --expression=', caution: sedCaution },
    options: `
      -i[=.bak|.orig|.old] --in-place[=.bak|.orig|.old] -n -r -E -s -u -z -b --quiet --silent --regexp-extended --separate --unbuffered
      --null-data --zero-terminated --binary --posix --sandbox --debug --version --help`,
    // The files must be writable. On macOS, the next word is the value of -i.
    writesWith: '-i[=] --in-place[=] -I',
    gnu: '-i[=] --in-place[=]',
    reach: {
      'changes files in place': '-i[=] --in-place[=] -I',
      'runs a script file': '-f= --file=',
      'follows symbolic links': '--follow-symlinks',
      // In the sed of macOS and BSD, the option takes no value, so the next word is the script.
      'takes no value in some versions of sed': '-l= --line-length=',
    },
    files: { read: '-f= --file=' },
  },
  {
    // Options precede the program. After it, `-F` is the name of a file.
    names: 'awk gawk mawk nawk',
    input: 'data',
    early: true,
    operands: { first: 'script', unless: '-f= --file= -E= --exec=', rest: 'read' },
    script: { caution: awkCaution },
    options: `
      -F= -v= -b -c -C -h -k -M -n -N -O -P -r -s -S -t -V --characters-as-bytes --traditional --posix
      --re-interval --sandbox --lint[=] --csv --use-lc-numeric --bignum --version --help`,
    // An operand of the form NAME=VALUE sets a variable, as -v does.
    valueReach: { 'sets a special variable of awk': AWK_VARIABLE },
    operandReach: { 'sets a special variable of awk': AWK_VARIABLE },
    files: { read: '-f= --file= -E= --exec=' },
    reach: {
      'runs other code': '-f= --file= -E= --exec= -l= --load= -i= --include= -D --debug -W=',
      [WRITES]: '-d[=] --dump-variables[=] -o[=] --pretty-print[=] -p[=] --profile[=]',
      // The awk of macOS and BSD ignores unknown options, so the next word is the program.
      'is not supported by every awk': '-e= --source= --field-separator= --assign=',
    },
  },
  {
    names: 'jq gojq jaq',
    input: 'data',
    operands: { first: 'script', unless: '-f= --from-file=', rest: 'read' },
    script: { caution: jqCaution },
    options: `
      -r -c -n -s -e -S -C -M -a -j -R -h -V --raw-output --compact-output --null-input --slurp
      --exit-status --sort-keys --color-output --monochrome-output --ascii-output --join-output
      --raw-output0 --raw-input --tab --indent= --unbuffered --stream --stream-errors --seq
      --arg== --argjson== --version --help --build-configuration`,
    files: { read: '-f= --from-file= --slurpfile= --rawfile= -L=' },
    reach: {
      'loads other code': '-f= --from-file= -L= --library-path=',
      [VARIABLE]: '--slurpfile= --rawfile= --argfile=',
      'takes all following words as values': '--args --jsonargs',
      'runs the tests in a file': '--run-tests',
    },
  },
  {
    names: 'yq',
    input: 'data',
    // A single operand is the file, if that exists.
    operands: { first: 'mention', rest: 'read' },
    options: `
      -r -c -n -S -C -M -e -j -N -P -o= -p= -I= -h -V --raw-output --compact-output --null-input
      --slurp --sort-keys --color-output --monochrome-output --exit-status --join-output --no-doc
      --prettyPrint --unwrapScalar[=] --output-format= --input-format= --indent= --colors
      --no-colors --tojson --yaml-output --toml-output --xml-output --version --help`,
    operandReach: {
      'may load other files or show environment variables': LEADS_OUT,
    },
    reach: {
      'changes files in place': '-i --inplace --in-place -s= --split-exp=',
      'loads other code': '-f= --from-file= -L= --split-exp-file=',
      [VARIABLE]: '--slurpfile= --rawfile= --argfile=',
    },
  },
  {
    names: 'dasel xq tomlq',
    input: 'data',
    operands: { first: 'mention', rest: 'read' },
    options: '-r -n -c -h --version --help',
    operandReach: { 'may write': /^(?:put|delete)$/, 'may load other files': LEADS_OUT },
  },
]

/**
 * The reason why an awk program cannot be proved harmless: it may run commands, write files, or
 * read files that are not operands.
 */
function awkCaution(program: string): string | undefined {
  const WHY = 'its program may run commands, write, or read other files'
  if (AWK_REACHES.test(program)) return WHY
  if (/\|/.test(program.replaceAll('||', ''))) return WHY
  // Without a slash there is no regular expression, so quotes always delimit strings.
  const code =
    program.includes('/') || program.includes('\\') ? program : program.replace(/"[^"\n]*"/g, '""')
  // A `>` after `print` may be a redirection. Only `;` and `}` certainly end the statement, and
  // only without slashes and strings; a line may continue.
  const isBare = !code.includes('/') && !code.includes('\\')
  for (let at = code.indexOf('print'); at >= 0; at = code.indexOf('print', at + 1)) {
    const end = isBare ? code.slice(at).search(/[;}]/) : -1
    if (code.slice(at, end < 0 ? undefined : at + end).includes('>')) return WHY
  }
  return undefined
}

/**
 * Functions and variables of awk with effects outside it. `SYMTAB` and `FUNCTAB` contain all
 * variables and functions by name.
 */
const AWK_REACHES = /system|getline|ENVIRON|PROCINFO|ARG[VCI]|SYMTAB|FUNCTAB|@|close|fflush/

/**
 * The reason why a jq filter cannot be proved harmless: it may load other code or reveal the
 * environment. `.env` is only a key.
 */
function jqCaution(filter: string): string | undefined {
  const code = filter.replace(/(^|[\s|(,[{:a-z_\])"?])\.env\b/g, '$1')
  return JQ_REACHES.test(code)
    ? 'its filter may load other code or show environment variables'
    : undefined
}

const JQ_REACHES =
  /\b(?:env|ENV|import|include|input_filename|load\w*|strenv|eval|exec|system|input_line_number|get_search_list|modulemeta|envsubst)\b/

/**
 * The reason why a sed script can't be proved harmless, or undefined if it can. Addresses and
 * commands that only print, delete, move and replace text are harmless; commands that run
 * something, or that read or write another file, are not.
 */
function sedCaution(script: string): string | undefined {
  const WHY = 'its script does more than print and replace'
  let at = 0
  const skipSpace = (): void => {
    while (at < script.length && /[\s;]/.test(script[at]!)) at++
  }
  /** Moves past the next unescaped mark. */
  const delimited = (mark: string): boolean => {
    for (; at < script.length; at++) {
      if (script[at] === '\\') at++
      else if (script[at] === '\n') return false
      else if (script[at] === mark) return (at++, true)
    }
    return false
  }
  const address = (): boolean => {
    if (/[\d$]/.test(script[at] ?? '')) {
      while (/[\d$~+]/.test(script[at] ?? '')) at++
      return true
    }
    if (script[at] !== '/') return false
    at++
    // In some versions of sed, a slash in brackets ends the pattern.
    const start = at
    if (!delimited('/') || script.slice(start, at).includes('['))
      return ((at = script.length + 1), true)
    while (/[IM]/.test(script[at] ?? '')) at++
    return true
  }
  for (skipSpace(); at < script.length; skipSpace()) {
    if (address()) {
      if (script[at] === ',') {
        at++
        while (script[at] === '+' || script[at] === '~') at++
        if (!address()) return WHY
      }
    }
    if (at > script.length) return WHY
    while (script[at] === ' ' || script[at] === '!') at++
    const command = script[at++]
    if (command === undefined) return WHY
    if (command === 's' || command === 'y') {
      const mark = script[at++]
      if (!mark || !/[!"#%&',./:;<=>@^|~+-]/.test(mark)) return WHY
      const start = at
      if (!delimited(mark)) return WHY
      if (!CLOSED.test(script.slice(start, at - 1))) return WHY
      if (!delimited(mark)) return WHY
      while (command === 's' && /[gpiIm\d]/.test(script[at] ?? '')) at++
    } else if (':btT'.includes(command)) {
      // In some versions of sed, a label ends at the first space, so the next word may be a
      // command.
      while (script[at] === ' ') at++
      while (/\w/.test(script[at] ?? '')) at++
    } else if ('aic'.includes(command)) {
      const end = script.indexOf('\n', at)
      const text = script.slice(at, end < 0 ? script.length : end)
      if (text.includes('\\')) return WHY
      at += text.length
    } else if ('qQ'.includes(command)) {
      while (/\d/.test(script[at] ?? '')) at++
    } else if (!'pPdD=nNgGhHxlz{}'.includes(command)) return WHY
    while (script[at] === ' ') at++
    if (at < script.length && !/[;\n}]/.test(script[at]!) && command !== '{') return WHY
  }
  return undefined
}

/**
 * A pattern in which every bracket is closed in all versions of sed. In some, a mark between
 * brackets ends the pattern, and they differ on the end of `[]…]`, `[[.x.]…]` and `[\]…]`.
 */
const CLOSED = /^(?:[^[\\]|\\[^]|\[(?!\^\])\^?(?:[^\][\\]|\\[^\][]|\[:\w+:\])+\])*$/
