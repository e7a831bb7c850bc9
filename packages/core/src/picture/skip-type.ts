import type { Cursor } from './cursor.ts'

/**
 * Skips a type: `Protocol<'arrow'>`, `readonly Wire[]`, `'a' | 'b'`, `(name: string) => Wire`.
 * Types have no effect here.
 */
export function skipType(cursor: Cursor): void {
  for (;;) {
    cursor.eat('|')
    skipOne(cursor)
    if (!cursor.is('|') && !cursor.is('&')) return
    cursor.take()
  }
}

function skipOne(cursor: Cursor): void {
  while (['readonly', 'keyof', 'typeof'].some((word) => cursor.isWord(word))) cursor.take()
  const isFunction = cursor.is('(')
  if (isFunction || cursor.is('{') || cursor.is('[')) skipBrackets(cursor)
  else if (['name', 'text', 'number'].includes(cursor.token.kind)) cursor.take()
  else throw cursor.unexpected('a type')
  for (;;) {
    if (cursor.is('.')) cursor.at += 2
    else if (cursor.is('[')) skipBrackets(cursor)
    else if (cursor.is('<')) skipArguments(cursor)
    else if (isFunction && cursor.eat('=>'))
      return cursor.nested(cursor.token, () => skipType(cursor))
    else return
  }
}

function skipBrackets(cursor: Cursor): void {
  const closer = cursor.closer()
  if (closer === undefined) throw cursor.unexpected('a type')
  cursor.at = closer + 1
}

function skipArguments(cursor: Cursor): void {
  cursor.need('<')
  do cursor.nested(cursor.token, () => skipType(cursor))
  while (cursor.eat(','))
  cursor.need('>')
}
