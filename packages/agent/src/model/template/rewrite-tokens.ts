import { TemplateError } from './template-error.ts'
import type { Token, TokenType } from './tokenize.ts'

/** The prefix of filters that represent tests. Names in templates cannot contain a space. */
export const TEST = 'is '
/** The prefix of filters that represent negated tests. */
export const NOT_TEST = 'is not '
/** The variable to which the result of `do` is assigned. */
const IGNORED = 'do nothing'

/**
 * Rewrites syntax that the library's parser does not support: tests become filters so that they can
 * have arguments, `do` becomes `set`, and `generation` is dropped because it prints nothing.
 */
export function rewriteTokens(tokens: readonly Token[]): Token[] {
  const rewritten: Token[] = []
  /** The positions after arguments without parentheses. */
  const ends: number[] = []
  const groups = groupsOf(tokens)
  for (let at = 0; at < tokens.length; at += 1) {
    while (ends.at(-1) === at) {
      ends.pop()
      rewritten.push(token('CloseParen', ')'))
    }
    const current = tokens[at]!
    const word = current.type === 'Identifier' ? current.value : undefined
    const before = tokens[at - 1]?.type
    if (current.type === 'OpenStatement' && isGeneration(tokens, at)) at += 2
    else if (before === 'OpenStatement' && word === 'do') {
      rewritten.push(token('Identifier', 'set'), token('Identifier', IGNORED), token('Equals', '='))
    } else if (before === 'OpenStatement' && word?.startsWith('end')) {
      rewritten.push(current)
      // The name may be repeated, as in {% endmacro name %}.
      if (tokens[at + 1]?.type === 'Identifier') at += 1
    } else if (word === 'is' && before !== 'Dot') {
      const isNegated = isWord(tokens[at + 1], 'not')
      const name = tokens[at + (isNegated ? 2 : 1)]
      if (name?.type !== 'Identifier') throw new TemplateError("'is' needs the name of a test")
      rewritten.push(
        token('Pipe', '|'),
        token('Identifier', `${isNegated ? NOT_TEST : TEST}${name.value}`),
      )
      at += isNegated ? 2 : 1
      const next = tokens[at + 1]
      if (next && startsArgument(next)) {
        rewritten.push(token('OpenParen', '('))
        ends.push(endOfPrimary(tokens, groups, at + 1))
      }
    } else if (isEmptyTuple(tokens, at)) {
      rewritten.push(current, ...EMPTY_TUPLE)
    } else if (isTrailingComma(tokens, groups, at)) {
      // A tuple with one item gets a second item, which is dropped later. Otherwise, it would look
      // like a value in parentheses.
      rewritten.push(current, token('Identifier', MISSING))
    } else rewritten.push(current)
  }
  for (const _ of ends) rewritten.push(token('CloseParen', ')'))
  return rewritten
}

/** A placeholder for the missing item after the trailing comma of a tuple. */
export const MISSING = 'no item'

const EMPTY_TUPLE: readonly Token[] = [
  { type: 'Identifier', value: MISSING },
  { type: 'Comma', value: ',' },
  { type: 'Identifier', value: MISSING },
]

function token(type: TokenType, value: string): Token {
  return { type, value }
}

function isWord(current: Token | undefined, word: string): boolean {
  return current?.type === 'Identifier' && current.value === word
}

function isGeneration(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at + 1]
  return (
    tokens[at + 2]?.type === 'CloseStatement' &&
    (isWord(word, 'generation') || isWord(word, 'endgeneration'))
  )
}

/** The position of the matching bracket for each bracket. */
function groupsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const groups = new Map<number, number>()
  const open: number[] = []
  for (const [at, { type }] of tokens.entries()) {
    if (OPENERS.has(type)) open.push(at)
    else if (CLOSERS.has(type)) {
      const start = open.pop()
      if (start === undefined) throw new TemplateError('it has an unmatched closing bracket')
      groups.set(start, at).set(at, start)
    }
  }
  return groups
}

/** True if a comma ends a tuple rather than the arguments of a call. */
function isTrailingComma(
  tokens: readonly Token[],
  groups: ReadonlyMap<number, number>,
  at: number,
): boolean {
  if (tokens[at]?.type !== 'Comma' || tokens[at + 1]?.type !== 'CloseParen') return false
  return !isCalled(tokens[(groups.get(at + 1) ?? 0) - 1])
}

function isEmptyTuple(tokens: readonly Token[], at: number): boolean {
  return (
    tokens[at]?.type === 'OpenParen' &&
    tokens[at + 1]?.type === 'CloseParen' &&
    !isCalled(tokens[at - 1])
  )
}

/** True if a parenthesis after this token opens the arguments of a call. */
function isCalled(before: Token | undefined): boolean {
  if (!before) return true
  if (before.type === 'Identifier') return !NOT_ARGUMENTS.has(before.value)
  return ENDS_VALUE.has(before.type)
}

/** The argument of a test needs no parentheses: `is divisibleby 3`. */
function startsArgument({ type, value }: Token): boolean {
  if (type === 'Identifier') return !NOT_ARGUMENTS.has(value)
  return STARTS_ARGUMENT.has(type)
}

const STARTS_ARGUMENT: ReadonlySet<TokenType> = new Set<TokenType>([
  'StringLiteral',
  'NumericLiteral',
  'OpenSquareBracket',
  'OpenCurlyBracket',
])
const NOT_ARGUMENTS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'is', 'in', 'if', 'else'])
const OPENERS: ReadonlySet<TokenType> = new Set<TokenType>([
  'OpenParen',
  'OpenSquareBracket',
  'OpenCurlyBracket',
])
const CLOSERS: ReadonlySet<TokenType> = new Set<TokenType>([
  'CloseParen',
  'CloseSquareBracket',
  'CloseCurlyBracket',
])
const ENDS_VALUE: ReadonlySet<TokenType> = new Set<TokenType>([
  'CloseParen',
  'CloseSquareBracket',
  'CloseCurlyBracket',
  'StringLiteral',
])

/** The position after a value and the `.name`, `[key]` and `(arguments)` that follow it. */
function endOfPrimary(
  tokens: readonly Token[],
  groups: ReadonlyMap<number, number>,
  start: number,
): number {
  const after = (at: number): number => (groups.get(at) ?? at) + 1
  let at = after(start)
  for (;;) {
    const type = tokens[at]?.type
    if (type === 'Dot') at += 2
    else if (type === 'OpenParen' || type === 'OpenSquareBracket') at = after(at)
    else return at
  }
}
