import type { ArithmeticExpression, ParameterExpansionPart, ParsedScript, Word } from 'unbash'
import { type ExpansionPart, type Piece, piecesOf } from './pieces.ts'

/** The state while printing a shell command. */
export interface Printing {
  readonly home: string
  /** True if the shell may be Bash 3: see `endsInBash3`. */
  readonly bash3: boolean
  /** The judged words and scripts. Nothing else is printed. */
  readonly judged: ReadonlySet<object>
  /** The expansions of braces and patterns of file names. */
  readonly expanded: ReadonlyMap<Word, readonly string[]>
  /** Prints the commands of a substitution. */
  readonly script: (script: ParsedScript | undefined) => string
  /** Set if text outside quotes is split into words. */
  splits: boolean
}

/** Thrown if a shell command can't be printed. The message is the reason. */
export class Unprintable extends Error {}

/** Aborts printing. */
export function cannot(why: string): never {
  throw new Unprintable(why)
}

/** Bash uses U+0001 and U+007F internally and loses some of them. */
const CHANGED = new RegExp(String.raw`[\0\u0001\u007f]|\p{Cs}`, 'u')

/** A quoted text in which bash interprets nothing. */
export function quote(text: string): string {
  if (/^[\w@%+=:,./ -]*$/.test(text)) return `'${text}'`
  if (CHANGED.test(text)) cannot('contains a character that bash may change')
  // Not `'\''`: in an array inside a substitution, Bash 5.2 misreads the backslash and runs the
  // text in the quotes.
  return `'${text.replaceAll("'", `'"'"'`)}'`
}

/** Returns a string to print without quotes. Throws if it doesn't match. */
export const matching = (text: string, allowed: RegExp, what: string): string =>
  allowed.test(text) ? text : cannot(`has ${what}`)

/** The name of a variable. */
export const NAME: RegExp = /^[A-Za-z_]\w*$/

/** The reason for a pattern that was not expanded when the text was judged. */
export const LIVE_PATTERN = 'has a pattern whose file names are looked up when it runs'

/** The pieces of a word, with adjacent literal text joined. */
function judgedPieces(word: Word, { judged, home }: Printing): readonly Piece[] {
  if (!judged.has(word)) return cannot('contains a word that was not judged')
  const pieces: Piece[] = []
  for (const piece of piecesOf(word, home)) {
    const last = pieces.at(-1)
    if (piece.type === 'text' && last?.type === 'text' && !piece.unclear && !last.unclear)
      pieces.splice(-1, 1, { type: 'text', text: last.text + piece.text })
    else pieces.push(piece)
  }
  return pieces
}

/** The value of a word that consists only of text. */
export function textOf(word: Word, { home }: Printing): string | undefined {
  const pieces = piecesOf(word, home)
  return pieces.every((piece) => piece.type === 'text')
    ? pieces.map(({ text }) => text).join('')
    : undefined
}

/** A word that may expand to several: an argument, or an item of a loop. */
export function printArgument(word: Word, printing: Printing): string {
  const names = printing.expanded.get(word)
  if (names) return names.map(quote).join(' ')
  const pieces = judgedPieces(word, printing)
  const printed = pieces.map((piece) => {
    if (piece.type === 'pattern')
      return cannot(piece.part.type === 'BraceExpansion' ? 'has unusual braces' : LIVE_PATTERN)
    if (piece.type !== 'expansion') return printText(piece)
    const { part, quoted } = piece
    if (part.type === 'ProcessSubstitution')
      return pieces.length === 1
        ? printExpansion(part, printing)
        : cannot('has text next to a process substitution')
    if (!quoted) printing.splits = true
    return quoted ? `"${printExpansion(part, printing)}"` : printExpansion(part, printing)
  })
  return printed.join('')
}

/**
 * A word that remains one word and is not a pattern: the value of an assignment, the word of
 * `case`, an operand of `[[`.
 */
export function printSingle(word: Word, printing: Printing): string {
  return judgedPieces(word, printing)
    .map((piece) => {
      if (piece.type === 'pattern') return quote(plainPattern(piece.part.text))
      if (piece.type !== 'expansion') return printText(piece)
      if (piece.part.type === 'ProcessSubstitution') cannot('has an unusual process substitution')
      return `"${printExpansion(piece.part, printing)}"`
    })
    .join('')
}

/** A literal pattern, where bash expands nothing. */
const plainPattern = (text: string): string => matching(text, /^[^$`'"\\{]*$/, 'an unusual pattern')

/** A pattern in `case`, or after `==` in `[[`. */
export function printPattern(word: Word, printing: Printing): string {
  return judgedPieces(word, printing)
    .map((piece) => {
      if (piece.type === 'pattern') return livePattern(piece.part)
      if (piece.type !== 'expansion') return printText(piece)
      const printed = printExpansion(piece.part, printing)
      return piece.quoted ? `"${printed}"` : printed
    })
    .join('')
}

/**
 * A regular expression. Only the simplest ones are printed, since bash has special rules for them.
 */
export function printRegularExpression(word: Word, printing: Printing): string {
  const isQuoted = ({ type }: { readonly type: string }) =>
    type === 'SingleQuoted' || type === 'DoubleQuoted'
  if (word.parts?.every(isQuoted)) return printSingle(word, printing)
  const [piece, another] = judgedPieces(word, printing)
  if (piece?.type === 'expansion' && !another) return printExpansion(piece.part, printing)
  return matching(word.text, /^\^?[\w.*+?@,:/-]+\$?$/, 'an unusual regular expression')
}

function printText(piece: Exclude<Piece, { readonly type: 'expansion' | 'pattern' }>): string {
  if (piece.type === 'unknown') return cannot(`has ${piece.why}`)
  return piece.unclear ? cannot(`has ${piece.doubt}`) : quote(piece.text)
}

const BRACKETS = /^\[[!^]?(?:[\w.,@%+=/]|(?<=\w)-(?=\w)|\[:[a-z]+:\])+\]$/

const livePattern = (part: { readonly type: string; readonly text: string }): string =>
  part.type === 'Glob' && /^[*?]$/.test(part.text)
    ? part.text
    : matching(part.text, BRACKETS, 'an unusual pattern')

/** An expansion without surrounding quotes. */
export function printExpansion(part: ExpansionPart, printing: Printing): string {
  switch (part.type) {
    case 'SimpleExpansion':
      return `\${${parameter(part.text.slice(1))}}`
    case 'ParameterExpansion':
      return printParameter(part)
    case 'ArithmeticExpansion':
      return `$(( ${printArithmetic(part.expression)} ))`
    case 'CommandExpansion':
      if (part.text.startsWith('${')) cannot('has a substitution in the same shell')
      // Bash first tries to parse `$((` as arithmetic, and may lose a here-document when it parses
      // the text a second time.
      if (part.text.startsWith('$((')) cannot('has `$((` that is not arithmetic')
      return inParentheses('$', part.script, printing)
    case 'ProcessSubstitution':
      return inParentheses(
        matching(part.operator, /^[<>]$/, 'an unusual process substitution'),
        part.script,
        printing,
      )
  }
}

function inParentheses(
  start: string,
  script: ParsedScript | undefined,
  printing: Printing,
): string {
  const text = `${start}( ${printing.script(script)} )`
  return printing.bash3 && !endsInBash3(text)
    ? cannot('has a substitution that Bash 3 parses differently')
    : text
}

const parameter = (name: string): string =>
  matching(OF_TEXT.test(name) ? '' : name, PARAMETER, 'an unusual parameter')

const PARAMETER = /^(?:[A-Za-z_]\w*|[1-9]\d?|[0#?$!])$/
/** Variables whose values depend on the notation of the text, or on `set -f`. */
const OF_TEXT = /^(?:_|LINENO|SHELLOPTS|BASH_COMMAND|BASH_EXECUTION_STRING)$/

/**
 * Inside `${…}`, the meaning of quotes depends on their place, so only operands without quotes are
 * printed.
 */
function printParameter({ parameter: name, prefix, index, operation }: ParameterExpansionPart) {
  if (prefix === '!' || index || (prefix && operation)) return cannot('has an unusual parameter')
  const start = `\${${prefix ? '#' : ''}${parameter(name)}`
  if (!operation) return `${start}}`
  const { type } = operation
  const operator = matching(operation.operator, /^(?::?[-+]|%%?|##?|\^\^?|,,?)$/, OPERAND)
  if (type === 'CaseModification' && !operation.operand) return `${start}${operator}}`
  if (type === 'Default')
    return `${start}${operator}${matching(operation.operand.text, /^[\w./:@,-]*$/, OPERAND)}}`
  if (type === 'Remove')
    return `${start}${operator}${matching(operation.operand.text, /^[\w./:@,*?-]*$/, OPERAND)}}`
  return cannot(`has ${OPERAND}`)
}

const OPERAND = 'an unusual expansion'
const ARITHMETIC = 'unusual arithmetic'
const OPERATOR = /^(?:[-+*/%<>=!&|^~,]|\*\*|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|(?:<<|>>)=)$/
const OPERAND_OF_ARITHMETIC = /^(?:\d{1,18}|0[xX][\da-fA-F]{1,16}|[A-Za-z_]\w*)$/

/**
 * An arithmetic expression. No parentheses are added, since they would change the result if the
 * value of `$x` is `1+1`.
 */
export function printArithmetic(node: ArithmeticExpression | undefined): string {
  switch (node?.type) {
    case 'ArithmeticBinary':
      return `${printArithmetic(node.left)} ${operatorOf(node)} ${printArithmetic(node.right)}`
    case 'ArithmeticUnary': {
      const operand = printArithmetic(node.operand)
      return node.prefix ? `${operatorOf(node)} ${operand}` : `${operand} ${operatorOf(node)}`
    }
    case 'ArithmeticTernary':
      return `${printArithmetic(node.test)} ? ${printArithmetic(node.consequent)} : ${printArithmetic(node.alternate)}`
    case 'ArithmeticGroup':
      return `(${printArithmetic(node.expression)})`
    case 'ArithmeticWord': {
      const [, name] = /^\$\{?(\w+)\}?$/.exec(node.value) ?? []
      return name === undefined
        ? matching(OF_TEXT.test(node.value) ? '' : node.value, OPERAND_OF_ARITHMETIC, ARITHMETIC)
        : `\${${parameter(name)}}`
    }
    default:
      return cannot(`has ${ARITHMETIC}`)
  }
}

const operatorOf = ({ operator }: { readonly operator: string }): string =>
  matching(operator, OPERATOR, ARITHMETIC)

/**
 * True if Bash 3.2, the version on macOS, ends a `$(…)` at the end of this text. It only counts
 * parentheses outside quotes, and doesn't recognize here-documents, comments and `case` patterns
 * inside.
 */
function endsInBash3(substitution: string): boolean {
  let open = 0
  let quote = ''
  for (let at = 1; at < substitution.length; at++) {
    const character = substitution[at]!
    if (character === '\\' && quote !== "'") at++
    else if (quote) {
      if (character === quote) quote = ''
    } else if (/['"`]/.test(character)) quote = character
    else if (character === '(') open++
    else if (character === ')' && --open === 0) return at === substitution.length - 1
  }
  return false
}
