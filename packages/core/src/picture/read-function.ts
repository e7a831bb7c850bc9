import type { Cursor } from './cursor.ts'
import { Misread, placeOf } from './problems.ts'
import { skipType } from './skip-type.ts'
import type { Declaration, FunctionNode, Pattern, ReadNode } from './syntax.ts'

/** True if a function begins here: `name =>`, `(…) =>` or `(…): Type =>`. */
export function beginsFunction(cursor: Cursor): boolean {
  if (cursor.token.kind === 'name')
    return cursor.ahead().kind === 'mark' && cursor.ahead().value === '=>'
  const closer = cursor.is('(') ? cursor.closer() : undefined
  if (closer === undefined) return false
  const start = cursor.at
  cursor.at = closer + 1
  const found = cursor.is('=>') || (cursor.eat(':') && typeThenArrow(cursor))
  cursor.at = start
  return found
}

function typeThenArrow(cursor: Cursor): boolean {
  // In `a ? (b) : c`, no arrow follows the supposed type.
  if (cursor.token.kind !== 'name') return false
  try {
    skipType(cursor)
  } catch (error) {
    // It is not a type. The expression is parsed later.
    if (!(error instanceof Misread)) throw error
    return false
  }
  return cursor.is('=>')
}

/** Reads `(a, { b }) => …`. */
export function readArrow(cursor: Cursor, read: ReadNode<Cursor>): FunctionNode {
  const { from } = cursor.token
  const parameters = cursor.is('(')
    ? readParameters(cursor)
    : [{ name: cursor.needNewName().value }]
  if (cursor.eat(':')) skipType(cursor)
  if (cursor.token.isAfterLine) throw cursor.unexpected('`=>` on the same line')
  cursor.need('=>')
  if (cursor.is('{')) return { ...readBody(cursor, parameters, read), from }
  const result = read(cursor)
  return { type: 'function', parameters, declared: [], result, from, to: cursor.end }
}

/** Reads `function name(a: Type): Type { … }`, after its first word. */
export function readFunction(cursor: Cursor, read: ReadNode<Cursor>): Declaration {
  const name = cursor.needNewName()
  const parameters = readParameters(cursor)
  if (cursor.eat(':')) skipType(cursor)
  const value = { ...readBody(cursor, parameters, read), from: name.from }
  return { name: name.value, place: placeOf(name), value }
}

function readParameters(cursor: Cursor): Pattern[] {
  const parameters: Pattern[] = []
  cursor.need('(')
  while (!cursor.eat(')')) {
    parameters.push(cursor.is('{') ? readPattern(cursor) : { name: cursor.needNewName().value })
    cursor.eat('?')
    if (cursor.eat(':')) skipType(cursor)
    if (!cursor.is(')')) cursor.need(',')
  }
  return parameters
}

function readPattern(cursor: Cursor): Pattern {
  const members: { key: string; name: string }[] = []
  cursor.need('{')
  while (!cursor.eat('}')) {
    const isRenamed = cursor.ahead().kind === 'mark' && cursor.ahead().value === ':'
    const key = (isRenamed ? cursor.needName() : cursor.needNewName()).value
    members.push({ key, name: cursor.eat(':') ? cursor.needNewName().value : key })
    if (!cursor.is('}')) cursor.need(',')
  }
  return { members }
}

/** Reads `{ const a = …; return … }`. */
function readBody(
  cursor: Cursor,
  parameters: readonly Pattern[],
  read: ReadNode<Cursor>,
): FunctionNode {
  const { from } = cursor.need('{')
  const declared: Declaration[] = []
  while (cursor.eatWord('const')) declared.push(readConst(cursor, read))
  if (!cursor.eatWord('return')) throw cursor.unexpected('`const` or `return`')
  if (cursor.token.isAfterLine) throw cursor.unexpected('a value on the line of `return`')
  const result = read(cursor)
  cursor.endStatement()
  cursor.need('}')
  return { type: 'function', parameters, declared, result, from, to: cursor.end }
}

/** Reads `name: Type = …`, after `const`. */
export function readConst(cursor: Cursor, read: ReadNode<Cursor>): Declaration {
  const name = cursor.needNewName()
  if (cursor.eat(':')) skipType(cursor)
  cursor.need('=')
  const value = read(cursor)
  cursor.endStatement()
  return { name: name.value, place: placeOf(name), value }
}
