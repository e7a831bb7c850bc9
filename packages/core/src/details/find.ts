import { readJsonText } from '../json/read.ts'
import { Input } from '../read/input.ts'
import { NO_MARKS } from '../read/marks.ts'
import type { Repaired } from '../read/recorder.ts'
import { duplicatesIn, largeNumbersIn, keyBefore, memberIn } from './keys.ts'
import {
  type Found,
  type Frame,
  afterSpace,
  fact,
  findBack,
  LONG,
  parsed,
  trimmed,
  valueEnd,
  stringEnd,
  type Note,
  noteOf,
} from './text.ts'
import { JSON_FINDERS } from './json.ts'
import { plainKey } from '../schema/property.ts'
import { name as nameHole } from '../holes/labels.ts'
import type { Wire } from '../wire.ts'

/** The places of a repair within the text of its frame. There is always at least one. */
export function find(note: Note, frame: Frame): readonly Found[] {
  const own = Object.hasOwn(FINDERS, note.name) ? FINDERS[note.name] : undefined
  const found = own?.(note, frame) ?? byKind(note, frame)
  return found.length > 0 ? found : [{ from: note.to, to: note.to, became: '' }]
}

/** The places of a repair by the kind of its note. */
function byKind(note: Note, frame: Frame): readonly Found[] {
  const { name, to } = note
  const { text } = frame
  const inJson = Object.hasOwn(JSON_FINDERS, name) ? JSON_FINDERS[name] : undefined
  switch (note.kind) {
    case 'here': {
      if (!inJson) return []
      // Readers of Python stop right before the one character that they repair.
      const char = text.charAt(to)
      const escaped = char < ' ' ? JSON.stringify(char).slice(1, -1) : `\\${char}`
      return [{ from: to, to: to + 1, became: escaped }]
    }
    case 'part': {
      const { from, became } = note
      if (inJson) {
        const found = inJson(text, from, to, became, frame.known)
        if (name === 'comment' || name === 'raw-control') frame.known.push(...found)
        return found
      }
      if (became === undefined) return [fact(text, from, to)]
      // Skipped text may have any length.
      return [{ ...(became === '' ? trimmed(text, from, to) : { from, to }), became }]
    }
    case 'failed':
      return [fact(text, note.from, to)]
    case 'within':
      return inValue(name, note.from, to, text)
    case 'value': {
      const start = afterSpace(text, note.from)
      const end = note.open ? valueEnd(text, start) : to
      return name === 'coerced' ? changesIn(text, start, end, note.made) : [fact(text, start, end)]
    }
    case 'text': {
      const found = findBack(frame, note.text, to)
      return found ? [renamed(found, note.text, note.became)] : []
    }
    case 'members':
      return changedMembers(frame, note)
  }
}

/** Reads a value again to find where in it this repair acted. */
function inValue(name: string, from: number, to: number, all: string): readonly Found[] {
  const finder = Object.hasOwn(JSON_FINDERS, name) ? JSON_FINDERS[name] : undefined
  const part = trimmed(all, from, to)
  const text = all.slice(part.from, part.to)
  const input = new Input()
  input.append(text)
  input.finish()
  const found: Found[] = []
  const builder = {
    guard: NO_MARKS,
    closing: undefined,
    mayRepair: true,
    take: () => true,
    note(...repaired: Repaired): true {
      const note = noteOf(repaired, input.place)
      if (finder && note.name === name && note.kind === 'part' && found.length < LONG)
        found.push(...finder(text, note.from, note.to, note.became, []))
      return true
    },
    fail: (): false => false,
    suspect: () => {},
  }
  if (finder) readJsonText(input, builder).next()
  return found.length > 0
    ? found.map((one) => ({ ...one, from: part.from + one.from, to: part.from + one.to }))
    : [fact(all, from, to)]
}

/** A replaced text, with its quotes. */
function renamed(found: Found, text: string, became: string | undefined): Found {
  const quoted = found.to - found.from > text.length
  return { ...found, became: became && quoted ? JSON.stringify(became) : (became ?? '') }
}

type Finder = (note: Note, frame: Frame) => readonly Found[] | undefined

/** Finds the key before the note's place. */
const key: Finder = (note, frame) => {
  const found = note.kind === 'text' && keyBefore(frame, note.text, note.to)
  return found ? [renamed(found, note.text, note.became)] : undefined
}

/** Finds the skipped text. */
const skipped: Finder = (note, { text }) =>
  note.kind === 'part' ? [{ ...trimmed(text, note.from, note.to), became: '' }] : undefined

/** Finds the text before the call's arguments. */
const opening: Finder = ({ to }, frame) => [openingIn(frame, to)]

const FINDERS: Readonly<Record<string, Finder>> = {
  'alias-key': key,
  'damaged-opener': opening,
  'double-encoded': (note, { text }) => {
    if (note.kind !== 'part' && note.kind !== 'within') return undefined
    const start = afterSpace(text, note.from)
    const isBare = note.kind === 'within'
    const end = isBare ? trimmed(text, start, note.to).to : valueEnd(text, start)
    const inner = isBare ? parsed(`"${text.slice(start, end)}"`)?.value : note.became
    if (end - start <= LONG) return [{ from: start, to: end, became: String(inner) }]
    return [start, end - 1].map((at) => ({ from: at, to: at + 1, became: '' }))
  },
  'doubled-closer': skipped,
  'duplicate-key': (note, frame) => {
    if (note.kind === 'here') return duplicatesIn(frame.text)
    if (note.kind === 'text')
      return [keyBefore(frame, note.text, note.to)].filter((found) => !!found)
    if (note.kind !== 'part') return undefined
    return duplicatesIn(frame.text.slice(0, note.to), note.from)
  },
  'escaped-text': ({ to }) => [{ from: to - 2, to, became: '\n' }],
  'extra-member': key,
  'flat-arguments': (note, frame) => {
    const found = note.kind === 'text' && keyBefore(frame, note.text, note.to)
    return found ? [{ ...found, became: `arguments.${note.text}` }] : undefined
  },
  'json-body': ({ to }) => [{ from: to, to: to + 1 }],
  'missing-closer': (note, frame) => {
    const { to } = note
    const from = note.kind === 'part' ? note.from : undefined
    const closer = note.kind === 'part' ? note.became : undefined
    return [{ from: to, to, became: closer ?? closerOf(frame, from) }]
  },
  'missing-mark': opening,
  'missing-opener': (note, { text }) =>
    note.kind === 'part' ? [missingOpener(text, note.from, note.to)] : undefined,
  'null-arguments': (note, { text }) => {
    if (note.kind !== 'part') return undefined
    const start = afterSpace(text, note.from)
    return [{ from: start, to: valueEnd(text, start), became: '{}' }]
  },
  'number-out-of-range': (_, { text, args }) => largeNumbersIn(text, args),
  'several-calls': (note, { text, block }) => {
    if (note.kind !== 'part') return undefined
    const next = afterSpace(text, note.from)
    const comma = text[next] === ',' ? 1 : 0
    return [{ from: next, to: next + comma, became: block.closing ?? '' }]
  },
  'repeated-argument': (note, frame) =>
    note.kind === 'text' ? [keyBefore(frame, note.text, note.to) ?? []].flat() : undefined,
  'stray-mark': opening,
  'stray-text': skipped,
  'unknown-key': key,
}

/**
 * The places where arguments changed after they were read. Without changed arguments, the places of
 * their values.
 */
function changedMembers(
  frame: Frame,
  { from, to, before, after }: Extract<Note, { kind: 'members' }>,
): readonly Found[] {
  const { text } = frame
  const start = Math.max(from, 0)
  let next = start
  return Object.entries(before).flatMap(([key, value]) => {
    // Members are in the order of the text, except those with numeric keys.
    const member =
      memberIn(frame, key, value, next, to) ??
      (next > start ? memberIn(frame, key, value, start, to) : undefined)
    if (!member) return []
    next = member.value.to
    if (!after) return [fact(text, member.value.from, member.value.to)]
    if (!Object.hasOwn(after, key)) return [{ ...member.key, became: '' }]
    return after[key] === value
      ? []
      : changesIn(text, member.value.from, member.value.to, after[key])
  })
}

/**
 * The differences between the value in this part of the text, if it is JSON, and the final value.
 */
function changesIn(text: string, from: number, to: number, made: unknown): readonly Found[] {
  const part = trimmed(text, from, to)
  const json = text.slice(part.from, part.to)
  const found: Found[] = []
  if (parsed(json)) walk(json, 0, made, found)
  return found.length > 0
    ? found.map((one) => ({ ...one, from: part.from + one.from, to: part.from + one.to }))
    : [replaced(text, part.from, part.to, made)]
}

/** Walks valid JSON together with the final value. Returns the end of the JSON. */
function walk(json: string, at: number, made: unknown, found: Found[]): number {
  const isList = json[at] === '['
  const nests = typeof made === 'object' && made !== null && Array.isArray(made) === isList
  if (!nests || (json[at] !== '{' && !isList)) {
    const end = valueEnd(json, at)
    if (JSON.stringify(parsed(json.slice(at, end))?.value) !== JSON.stringify(made))
      found.push(replaced(json, at, end, made))
    return end
  }
  let i = afterSpace(json, at + 1)
  for (let index = 0; i < json.length && json[i] !== '}' && json[i] !== ']'; index++) {
    const start = i
    let key = String(index)
    if (!isList) {
      const end = stringEnd(json, i)
      key = String(parsed(json.slice(i, end))?.value)
      i = afterSpace(json, afterSpace(json, end) + 1)
    }
    const name = nameIn(made, key)
    if (name !== undefined) i = walk(json, i, (made as Record<string, unknown>)[name], found)
    else found.push(replaced(json, start, (i = valueEnd(json, i)), undefined))
    i = afterSpace(json, i)
    if (json[i] === ',') i = afterSpace(json, i + 1)
  }
  return i + 1
}

/**
 * The key of a member in the final value: the same, or a similar one if another repair renamed it.
 */
function nameIn(made: object, key: string): string | undefined {
  if (Object.hasOwn(made, key)) return key
  return Object.keys(made).find((other) => plainKey(other) === plainKey(key))
}

/**
 * A piece that became this value, or nothing. If either is long, only the start of the piece is
 * reported, as a fact.
 */
function replaced(text: string, from: number, to: number, made: unknown): Found {
  const became = JSON.stringify(made) ?? ''
  return Math.max(to - from, became.length) > LONG ? fact(text, from, to) : { from, to, became }
}

/**
 * The difference between the text before a call's arguments, which end at `to`, and the opening
 * that its protocol draws.
 */
function openingIn({ text, block, name }: Frame, to: number): Found {
  const { call, section = [] } = block.protocol
  const hole = call.indexOf(nameHole)
  const { from, to: end } = trimmed(text, 0, to)
  // The whole call is one hole, so the opening tag lacks its end.
  if (hole < 0) return { from: end, to: end, became: '>' }
  const drawn = (wire: Wire): string => wire.filter((part) => typeof part === 'string').join('')
  const before = drawn(call.slice(0, hole)).trimStart()
  const after = drawn(call.slice(hole + 1, hole + 2)).trim()
  const last = after === '' ? -1 : text.indexOf(after, text.indexOf(name) + name.length)
  const written = text.slice(from, last < 0 || last > end ? end : last + after.length)
  // The section's mark may be missing together with the call's.
  const alone = difference(written, before + name + after, from)
  const around = drawn(section.slice(0, 1)).trim()
  const whole = difference(written, around + before + name + after, from)
  return whole.to - whole.from < alone.to - alone.from ? whole : alone
}

/** The part in which two strings differ, without their common start and end. */
function difference(text: string, other: string, at: number): Found & { readonly became: string } {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  let [end, otherEnd] = [text.length, other.length]
  while (end > start && otherEnd > start && text[end - 1] === other[otherEnd - 1]) {
    end--
    otherEnd--
  }
  return { from: at + start, to: at + end, became: other.slice(start, otherEnd) }
}

/** The missing closing mark, either of the tag before `from` or of the call. */
function closerOf({ text, block }: Frame, from: number | undefined): string {
  if (from === undefined) return block.closing ?? ''
  // The tag may be in the prompt.
  const near = text.slice(Math.max(from - LONGEST_TAG, 0), Math.max(from, 0))
  const tag = TAG.exec(near.slice(near.lastIndexOf('<')))
  return tag ? `</${tag[1]}>` : ''
}

const LONGEST_TAG = 400
const TAG = /^<([\p{L}_][\p{L}\p{N}_.:-]*)/u

/**
 * The missing tag that opens a value, between the key at `from` and the value's closing tag at
 * `to`.
 */
function missingOpener(text: string, from: number, to: number): Found {
  const opener = `<${text.slice(to + 2, text.indexOf('>', to))}>`
  const at = afterSpace(text, text.indexOf('>', text.indexOf('</', from)) + 1)
  // Only the `<` or `>` of the tag may be missing.
  const rest = [opener.slice(1), opener.slice(0, -1)].find((part) => text.startsWith(part, at))
  return { from: at, to: at + (rest?.length ?? 0), became: opener }
}
