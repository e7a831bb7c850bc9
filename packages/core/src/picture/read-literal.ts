import type { Cursor } from './cursor.ts'
import { placeOf } from './problems.ts'
import type { Item, Member, Node, ReadNode } from './syntax.ts'

/** Reads a template. A tag is applied to it. */
export function readTemplate(cursor: Cursor, tag: Node | undefined, read: ReadNode<Cursor>): Node {
  const from = tag?.from ?? cursor.token.from
  const chunks: string[] = []
  const holes: Node[] = []
  cursor.need('`')
  for (;;) {
    chunks.push(cursor.take().value)
    if (cursor.eat('`')) return { type: 'template', tag, chunks, holes, from, to: cursor.end }
    cursor.need('${')
    holes.push(read(cursor))
    cursor.need('}')
  }
}

/** Reads `[a, ...b]`. */
export function readList(cursor: Cursor, read: ReadNode<Cursor>): Node {
  const { from } = cursor.need('[')
  const items: Item[] = []
  while (!cursor.eat(']')) {
    const spread = cursor.eat('...')
    items.push({ spread, value: read(cursor) })
    if (!cursor.is(']')) cursor.need(',')
  }
  return { type: 'list', items, from, to: cursor.end }
}

/** Reads `{ a: 1, b, ...c }`. */
export function readObject(cursor: Cursor, read: ReadNode<Cursor>): Node {
  const { from } = cursor.need('{')
  const members: Member[] = []
  while (!cursor.eat('}')) {
    members.push(readMember(cursor, read))
    if (!cursor.is('}')) cursor.need(',')
  }
  return { type: 'object', members, from, to: cursor.end }
}

function readMember(cursor: Cursor, read: ReadNode<Cursor>): Member {
  const { token } = cursor
  const keyPlace = placeOf(token)
  if (cursor.eat('...')) return { key: undefined, keyPlace, value: read(cursor) }
  if (token.kind !== 'name' && token.kind !== 'text') throw cursor.unexpected('a key')
  const { value: key } = cursor.take()
  const shorthand = token.kind === 'name' && (cursor.is(',') || cursor.is('}'))
  if (shorthand) return { key, keyPlace, value: { type: 'name', name: key, ...keyPlace } }
  cursor.need(':')
  return { key, keyPlace, value: read(cursor) }
}
