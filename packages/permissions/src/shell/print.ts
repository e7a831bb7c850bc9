import type {
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Statement,
  TestExpression,
} from 'unbash'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { printRedirects } from './print-redirect.ts'
import {
  cannot,
  LIVE_PATTERN,
  matching,
  NAME,
  printArgument,
  printArithmetic,
  type Printing,
  printPattern,
  printRegularExpression,
  printSingle,
  quote,
  textOf,
  Unprintable,
} from './print-word.ts'
import type { Findings } from './scope.ts'

/**
 * The maximum length of a printed shell command, in characters. Systems limit the length of a
 * command passed to a shell.
 */
const LONGEST = 100_000

/**
 * Prints a script from its syntax tree, so that bash runs exactly what was judged, whatever the
 * original notation. Bash interprets only characters that are written here: original text is always
 * quoted, except names, numbers and operators that match a pattern below. Anything that was not
 * judged or is not supported can't be printed.
 */
export function printScript(
  { script, misread, judged, expanded, patterns, unsure }: Findings,
  text: string,
  { home, platform }: Pick<SearchableFileSystem, 'home' | 'platform'>,
): { readonly runs: string } | { readonly unprinted: string } {
  const unprinted = (why: string) => ({
    unprinted:
      patterns && why !== LIVE_PATTERN
        ? `${why}, and the file names of its patterns are looked up when it runs`
        : why,
  })
  if (misread !== undefined) return unprinted(misread)
  const printing: CommandPrinting = {
    home,
    bash3: platform === 'darwin',
    judged,
    expanded,
    splits: false,
    moves: false,
    resets: false,
    inside: 0,
    script: (inner) => printInside(inner, printing),
  }
  try {
    const printed = printLines(script, text, printing)
    if (printed === '') cannot('runs no command')
    if (printing.splits && printing.resets)
      cannot('splits text into words after it may have changed how the shell does that')
    const runs = before(printing, unsure) + printed
    if (runs.length > LONGEST) cannot(`is longer than ${LONGEST} characters when printed`)
    return { runs }
  } catch (error) {
    if (error instanceof Unprintable) return unprinted(error.message)
    if (error instanceof RangeError) return unprinted('is nested too deeply')
    throw error
  }
}

/**
 * Settings before the text, so that split text is not expanded to file names, `cd x` does not use
 * `CDPATH`, and a variable that the text may have failed to set does not come from the environment.
 */
const before = ({ splits, moves }: CommandPrinting, unsure: ReadonlySet<string>): string =>
  [
    ...(splits ? ['set -f'] : []),
    ...(moves ? ['CDPATH='] : []),
    ...[...unsure].map((name) => `${matching(name, NAME, 'an unusual name')}=`),
    '',
  ].join('\n')

interface CommandPrinting extends Printing {
  /** True if a command changes the shell's folder. */
  moves: boolean
  /** True if a command may change how the shell treats unquoted text. */
  resets: boolean
  /** The number of substitutions around the current text. */
  inside: number
}

function printInside(script: ParsedScript | undefined, printing: CommandPrinting): string {
  printing.inside++
  const text = printJudged(script, printing)
  printing.inside--
  return text || cannot('has an empty substitution')
}

const printJudged = (script: ParsedScript | undefined, printing: CommandPrinting): string =>
  printStatements(judgedStatements(script, printing), printing)

const judgedStatements = (
  script: ParsedScript | undefined,
  { judged }: Printing,
): readonly Statement[] =>
  script && judged.has(script) ? script.commands : cannot('contains a script that was not judged')

/**
 * Prints the commands of the whole text on their original lines, because an error in arithmetic
 * ends only its own line.
 */
function printLines(
  script: ParsedScript | undefined,
  text: string,
  printing: CommandPrinting,
): string {
  let [printed, end] = ['', 0]
  for (const statement of judgedStatements(script, printing)) {
    const between = text.slice(end, statement.pos).replaceAll('\\\n', '')
    const separator = between.includes('\n') ? '\n' : printed.endsWith(' &') ? ' ' : '; '
    if (printed !== '') printed += separator
    printed += printStatement(statement, printing)
    ;({ end } = statement)
  }
  return printed
}

const printStatements = (list: readonly Statement[], printing: CommandPrinting): string =>
  list.map((each) => printStatement(each, printing)).join('\n')

const printStatement = ({ command, background }: Statement, printing: CommandPrinting): string =>
  printAndOr(command, printing) + (background ? ' &' : '')

const printBody = ({ commands }: CompoundList, printing: CommandPrinting): string =>
  commands.length > 0 ? `\n${printStatements(commands, printing)}\n` : cannot('has an empty list')

function printAndOr(node: Statement['command'], printing: CommandPrinting): string {
  if (node.type !== 'AndOr') return printPipeline(node, printing)
  return joined(
    node.commands.map((each) => printPipeline(each, printing)),
    node.operators,
  )
}

const joined = (parts: readonly string[], operators: readonly string[]): string =>
  parts.reduce((text, part, at) => `${text} ${operator(operators[at - 1])} ${part}`)

const operator = (text: string | undefined): string =>
  matching(text ?? '', /^(?:&&|\|\||\|&?)$/, 'an unusual operator')

function printPipeline(node: PipelineNode, printing: CommandPrinting): string {
  if (node.type !== 'Pipeline') return printCommand(node, printing)
  const [prefix, another] = node.prefixes
  if (another || node.commands.length === 0) return cannot('has an unusual pipeline')
  // Before running `$(…)`, Bash 5.2 rewrites its commands, with mistakes after `time`.
  if (prefix?.type === 'Time' && printing.inside > 0) cannot('has `time` in a substitution')
  const start =
    prefix === undefined
      ? ''
      : prefix.type === 'Negation'
        ? '! '
        : prefix.posix
          ? 'time -p '
          : 'time '
  const commands = node.commands.map((each) => printCommand(each, printing))
  return start + joined(commands, node.operators)
}

function printCommand(node: CommandNode, printing: CommandPrinting): string {
  const body = (list: CompoundList): string => printBody(list, printing)
  switch (node.type) {
    case 'Command':
      return printSimple(node, printing)
    case 'Redirected':
      return [
        printCommand(node.command, printing),
        ...printRedirects(node.redirects, printing),
      ].join(' ')
    case 'Subshell':
      return `(${body(node.body)})`
    case 'BraceGroup':
      return `{${body(node.body)}}`
    case 'If': {
      const branches = [node, ...node.elif].map(
        ({ clause, then }) => `if${body(clause)}then${body(then)}`,
      )
      return `${branches.join('el')}${node.else ? `else${body(node.else)}` : ''}fi`
    }
    case 'While':
      return `${node.kind === 'while' ? 'while' : 'until'}${body(node.clause)}do${body(node.body)}done`
    case 'For': {
      const words = node.wordlist ?? cannot('loops over the arguments of the shell')
      mustBeApart(words, [])
      const items = words.map((word) => ` ${printArgument(word, printing)}`).join('')
      return `for ${matching(node.name.text, NAME, 'an unusual name')} in${items}\ndo${body(node.body)}done`
    }
    case 'ArithmeticFor': {
      const parts = [node.initialize, node.test, node.update].map((each) =>
        each ? printArithmetic(each) : '',
      )
      return `for (( ${parts.join(' ; ')} ))\ndo${body(node.body)}done`
    }
    case 'ArithmeticCommand':
      return `(( ${printArithmetic(node.expression)} ))`
    case 'Case': {
      const items = node.items.map(({ pattern, body: list, terminator = ';;' }) => {
        const patterns = pattern.map((word) => printPattern(word, printing)).join(' | ')
        const end = matching(terminator, /^(?:;;&?|;&)$/, 'an unusual case')
        return `(${patterns})${list.commands.length > 0 ? body(list) : '\n'}${end}\n`
      })
      return `case ${printSingle(node.word, printing)} in\n${items.join('')}esac`
    }
    case 'TestCommand':
      return `[[ ${printTest(node.expression, printing)} ]]`
    case 'Function':
      return cannot('defines a function')
    case 'Coproc':
      return cannot('runs a coprocess')
    default:
      return cannot(`contains unsupported syntax: ${node.type}`)
  }
}

function printSimple(node: Command, printing: CommandPrinting): string {
  const words = node.name ? [node.name, ...node.args] : node.args
  mustBeApart(words, [...node.prefix, ...node.redirects])
  addEffects(words, printing)
  const all = [
    ...node.prefix.flatMap((each) =>
      each.type === 'Assignment' ? [assignedName(each) + assignedValue(each, printing)] : [],
    ),
    ...words.map((word) =>
      word.type === 'Word'
        ? printArgument(word, printing)
        : quote(assignedName(word)) + assignedValue(word, printing),
    ),
    ...printRedirects(node.redirects, printing),
  ].filter(Boolean)
  return all.length > 0 ? all.join(' ') : cannot('has an empty command')
}

/**
 * To bash, `a<(b)` is one word, but the parser ends a word before and after a process substitution.
 */
function mustBeApart(words: Command['args'], others: readonly { readonly end: number }[]): void {
  const ends = new Set([...words, ...others].map(({ end }) => end))
  if (words.some(({ pos }) => ends.has(pos))) cannot('has text next to a process substitution')
}

/**
 * Records the effects of a command on the shell. A command with an unknown name may have any
 * effect.
 */
function addEffects([name, ...rest]: Command['args'], printing: CommandPrinting): void {
  if (!name) return
  const value = name.type === 'Word' ? textOf(name, printing) : undefined
  // Bash treats it as `fg`, even in quotes.
  if (value?.startsWith('%')) cannot('resumes a job')
  if (value === 'command' || value === 'builtin') {
    const [next] = rest
    const option = next?.type === 'Word' ? textOf(next, printing) : undefined
    if (option !== undefined && !option.startsWith('-')) addEffects(rest, printing)
    else if (option !== '-v' && option !== '-V') printing.resets = printing.moves = true
  }
  if (value === 'cd' || value === 'pushd') printing.moves = true
  if (value === undefined || SHELL.has(value)) printing.resets = true
  if (value === 'set')
    printing.resets ||= !rest.every(({ text }) => /^(?:[-+][eu]+|-o|pipefail)$/.test(text))
}

/** Builtins that may change how the shell treats unquoted text, or that run other text. */
const SHELL = new Set([
  ...['.', 'source', 'eval', 'trap', 'shopt', 'enable', 'mapfile', 'readarray', 'compgen'],
  ...['complete', 'fc', 'history', 'bind', 'alias'],
])

const assignedName = ({ name, append, index }: Assignment): string =>
  index
    ? cannot('sets an element of an array')
    : `${matching(name, NAME, 'an unusual name')}${append ? '+=' : '='}`

const assignedValue = ({ value }: Assignment, printing: CommandPrinting): string =>
  value.type === 'Word' ? printSingle(value, printing) : cannot('sets an array')

const BINARY = /^(?:==?|!=|<|>|=~|-(?:eq|ne|lt|le|gt|ge|ef|nt|ot))$/

function printTest(node: TestExpression, printing: CommandPrinting): string {
  switch (node.type) {
    case 'TestUnary':
      return `${matching(node.operator, /^-[a-zA-Z]$/, 'an unusual test')} ${printSingle(node.operand, printing)}`
    case 'TestBinary': {
      const { left, operator, right } = node
      const print =
        operator === '=~'
          ? printRegularExpression
          : /^(?:==?|!=)$/.test(operator)
            ? printPattern
            : printSingle
      return `${printSingle(left, printing)} ${matching(operator, BINARY, 'an unusual test')} ${print(right, printing)}`
    }
    case 'TestLogical':
      return node.operands
        .map((each) => printGroup(each, printing))
        .join(` ${operator(node.operator)} `)
    case 'TestNot':
      return '! '.repeat(node.negations.length) + printGroup(node.operand, printing)
    case 'TestGroup':
      return `( ${printTest(node.expression, printing)} )`
    default:
      return cannot('has an unusual test')
  }
}

function printGroup(node: TestExpression, printing: CommandPrinting): string {
  const text = printTest(node, printing)
  return node.type === 'TestGroup' ? text : `( ${text} )`
}
