import { type Cursor, MAX_NESTING } from './cursor.ts'
import { Misread, placeOf } from './problems.ts'
import { beginsFunction, readArrow } from './read-function.ts'
import { readList, readObject, readTemplate } from './read-literal.ts'
import { skipType } from './skip-type.ts'
import type { Comparison, Node } from './syntax.ts'

/** Reads one expression. */
export function readExpression(cursor: Cursor): Node {
  return cursor.nested(cursor.token, () => {
    const node = beginsFunction(cursor) ? readArrow(cursor, readExpression) : readChoice(cursor)
    while (cursor.isWord('as') || cursor.isWord('satisfies')) {
      cursor.take()
      skipType(cursor)
    }
    return node
  })
}

function readChoice(cursor: Cursor): Node {
  const test = readChain(cursor, 0)
  if (!cursor.eat('?')) return test
  const yes = readExpression(cursor)
  cursor.need(':')
  const no = readExpression(cursor)
  return { type: 'choice', test, yes, no, from: test.from, to: cursor.end }
}

/** The operators, from the lowest to the highest precedence. */
const CHAINS = ['??', '||', '&&'] as const

function readChain(cursor: Cursor, level: number, onOperator = (): void => {}): Node {
  const operator = CHAINS[level]
  if (operator === undefined) return readComparison(cursor)
  if (operator !== '??')
    return chained(cursor, operator, () => readChain(cursor, level + 1, onOperator), onOperator)
  const used = new Set<string>()
  const inner = (): void => void used.add('||')
  const node = chained(
    cursor,
    operator,
    () => readChain(cursor, level + 1, inner),
    () => void used.add(operator),
  )
  if (used.size > 1)
    throw new Misread('`??` beside `||` or `&&` needs parentheses: `(a || b) ?? c`.', node)
  return node
}

function chained(
  cursor: Cursor,
  operator: '+' | (typeof CHAINS)[number],
  read: () => Node,
  onOperator = (): void => {},
): Node {
  const first = read()
  const parts = [first]
  while (cursor.eat(operator)) {
    onOperator()
    parts.push(read())
  }
  if (parts.length === 1) return first
  return { type: 'chain', operator, parts, from: first.from, to: cursor.end }
}

const COMPARISONS = ['===', '!==', '<=', '>=', '<', '>']

function readComparison(cursor: Cursor): Node {
  const sum = (): Node => chained(cursor, '+', () => readUnary(cursor))
  const left = sum()
  const { kind, value } = cursor.token
  if (kind !== 'mark' || !COMPARISONS.includes(value)) return left
  cursor.take()
  const operator = value as Comparison
  return { type: 'compare', operator, left, right: sum(), from: left.from, to: cursor.end }
}

function readUnary(cursor: Cursor): Node {
  const { from } = cursor.token
  const type = cursor.is('!') ? 'not' : cursor.is('-') ? 'minus' : undefined
  if (type === undefined) return readPostfix(cursor)
  return cursor.nested(cursor.take(), () => {
    const of = readUnary(cursor)
    return { type, of, from, to: cursor.end }
  })
}

function readPostfix(cursor: Cursor): Node {
  let node = readPrimary(cursor)
  let isOptional = false
  for (let count = 0; ; count++) {
    if (count > MAX_NESTING)
      throw new Misread(`This chain has more than ${MAX_NESTING} calls or members.`, node)
    const { from } = node
    if (cursor.is('.') || cursor.is('?.')) {
      const optional = cursor.take().value === '?.'
      isOptional ||= optional
      const name = cursor.needName()
      const key: Node = { type: 'literal', value: name.value, ...placeOf(name) }
      node = { type: 'member', of: node, name: key, optional, from, to: cursor.end }
    } else if (cursor.eat('[')) {
      const name = readExpression(cursor)
      cursor.need(']')
      node = { type: 'member', of: node, name, optional: false, from, to: cursor.end }
    } else if (cursor.is('(')) {
      const args = readArguments(cursor)
      node = { type: 'call', of: node, args, from, to: cursor.end }
    } else if (cursor.is('`')) {
      if (isOptional) throw cursor.unexpected('no template after `?.`')
      node = readTemplate(cursor, node, readExpression)
    }
    // `variants!` affects only types.
    else if (cursor.token.isAfterLine || !cursor.eat('!'))
      return isOptional ? { type: 'optional', of: node, from, to: cursor.end } : node
  }
}

function readArguments(cursor: Cursor): Node[] {
  const args: Node[] = []
  cursor.need('(')
  while (!cursor.eat(')')) {
    args.push(readExpression(cursor))
    if (!cursor.is(')')) cursor.need(',')
  }
  return args
}

const WORDS = new Map<string, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

function readPrimary(cursor: Cursor): Node {
  const { token } = cursor
  const place = placeOf(token)
  if (token.kind === 'text') return { type: 'literal', value: cursor.take().value, ...place }
  if (token.kind === 'number') {
    const value = Number(cursor.take().value.replaceAll('_', ''))
    return { type: 'literal', value, ...place }
  }
  if (token.kind === 'regex') {
    const end = cursor.take().value.lastIndexOf('/')
    const { value } = token
    return { type: 'regex', source: value.slice(1, end), flags: value.slice(end + 1), ...place }
  }
  if (token.kind === 'name' && !STATEMENTS.has(token.value)) {
    const { value } = cursor.take()
    if (WORDS.has(value)) return { type: 'literal', value: WORDS.get(value), ...place }
    if (REFUSED.has(value)) throw new Misread(refusal(value), token)
    return { type: 'name', name: value, ...place }
  }
  if (cursor.is('`')) return readTemplate(cursor, undefined, readExpression)
  if (cursor.is('[')) return readList(cursor, readExpression)
  if (cursor.is('{')) return readObject(cursor, readExpression)
  if (cursor.eat('(')) {
    const inner = readExpression(cursor)
    cursor.need(')')
    return inner
  }
  throw cursor.unexpected('a value')
}

const STATEMENTS = new Set('import export const let var function return if for while'.split(' '))
const REFUSED = new Set(
  'new class async await yield this super delete typeof void throw'.split(' '),
)

function refusal(word: string): string {
  return `\`${word}\` is not allowed in a protocol file. It contains texts, lists, objects, pictures, holes and \`=>\` functions.`
}
