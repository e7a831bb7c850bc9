// Folder: JSON as models write it: read in a stream, repaired, printed.
import type { CallBuilder } from '../read/call-builder.ts'
import { Input, type Reader } from '../read/input.ts'
import { YES } from '../read/readers.ts'
import { type Repair, repairs, type Stop } from './repairs.ts'
import { JsonScanner } from './scanner.ts'
import { NO_MARKS } from '../read/marks.ts'
import { duplicateKeyIn } from './text.ts'

/**
 * Reads JSON up to the next watched key or to its end, and repairs it if the builder allows that.
 * False if it is not JSON or the input ended inside it.
 */
export function readJson(input: Input, json: JsonScanner, builder: Repairing): Reader<boolean> {
  if (json.loose) return readOn(input, json, builder, false)
  // Most JSON is valid and complete.
  input.cursor = json.scan(input.buffer, input.cursor, input.end)
  return json.why === 'key' || json.why === 'done' ? YES : readOn(input, json, builder, true)
}

/**
 * The slow path, for incomplete or invalid JSON. With `scanned`, the available text has just been
 * read.
 */
function* readOn(
  input: Input,
  json: JsonScanner,
  builder: Repairing,
  scanned: boolean,
): Reader<boolean> {
  const { guard, closing } = builder
  const stop = { input, json, guard, closing }
  const begin = input.place
  /** The place up to which nothing ends the call, and the place of the mark that does. */
  let clear = 0
  let found = -1
  let guarded = false
  // The place where strict reading stopped, before any repair. Failures are reported here.
  let strict = input.place
  let expected = ''
  const step = (): boolean => {
    let count: number
    do {
      const { place } = input
      // The end of a repaired string is uncertain, so the end of the call ends it too. The search
      // does not run far ahead, since the string may end soon.
      if (json.loose && clear <= place) {
        clear = place + input.scan(guard, 0, Math.max(NEAR, place - begin))
        if (input.hit) found = clear
      }
      count = json.loose ? clear - place : input.length
      input.cursor = json.scan(input.buffer, input.cursor, input.cursor + count)
      guarded = json.loose && json.why === 'more' && found === input.place
    } while (count > 0 && json.why === 'more' && !guarded && input.length > 0)
    return json.why !== 'more' || guarded || input.ended
  }
  for (let done = scanned; ; done = false) {
    if (!(done ? json.why !== 'more' || input.ended : step())) yield step
    if (guarded) {
      builder.suspect()
      return builder.fail('syntax', expected, strict)
    }
    if (json.why === 'key' || json.why === 'done') return true
    if (json.why === 'more') return builder.fail('cut', 'more JSON')
    if (json.tooDeep) return builder.fail('too-deep', 'less nesting')
    if (!json.loose) {
      strict = input.place
      expected = EXPECTED[json.state]
    }
    const repair = builder.mayRepair ? yield* cheapest(stop) : undefined
    const from = input.place
    const meant = repair && builder.take(repair.name) && (yield* repair.apply(stop))
    if (repair) builder.note(repair.name, from, meant, input.place)
    if (!repair || meant === false) return builder.fail('syntax', EXPECTED[json.state])
    if (json.state === 'done') return true
  }
}

type Repairing = Pick<
  CallBuilder,
  'guard' | 'closing' | 'mayRepair' | 'take' | 'note' | 'fail' | 'suspect'
>

/** Reads one whole value in the same way and returns it as strict JSON. */
export function* readJsonText(input: Input, builder: Repairing): Reader<string | undefined> {
  const scanner = new JsonScanner(0)
  const pieces: string[] = []
  scanner.sink = (piece) => pieces.push(piece)
  return (yield* readJson(input, scanner, builder)) ? pieces.join('') : undefined
}

/**
 * The cheapest repair that applies. If two have the same cost, the text is ambiguous, so none is
 * chosen.
 */
function* cheapest(stop: Stop): Reader<Repair | undefined> {
  let best: Repair | undefined
  let tied = false
  for (const repair of repairs) {
    if (best && repair.cost > best.cost) continue
    if (!(yield* repair.fits(stop))) continue
    tied = repair.cost === best?.cost
    best = repair
  }
  return tied ? undefined : best
}

const EXPECTED: Record<JsonScanner['state'], string> = {
  value: 'a JSON value',
  'first-item': 'a JSON value or "]"',
  item: 'a JSON value',
  'first-key': 'a key in quotes or "}"',
  key: 'a key in quotes',
  colon: '":"',
  after: '"," or a closing bracket',
  string: 'no raw control character',
  'key-string': 'no raw control character',
  escape: 'a valid JSON escape',
  word: 'a JSON value',
  done: '',
}

/** The initial lookahead. */
const NEAR = 1 << 8

/** Returns true if a value may be repaired this way, and records the repair. */
export type TryRepair = (repair: string) => boolean

/** Reads a whole text as one Python value, with single quotes, True and None. */
export function readLoosely(text: string, tryRepair: TryRepair): { value: unknown } | undefined {
  const input = new Input()
  input.append(text)
  input.finish()
  const taken = new Set<string>()
  const builder = {
    ...PYTHON,
    take: (name: string) => REPAIRS.has(name) && !!taken.add(name),
  }
  // The text is complete, so the reader never pauses.
  const { value: json } = readJsonText(input, builder).next()
  return typeof json === 'string' &&
    input.length === 0 &&
    duplicateKeyIn(json) === undefined &&
    [...taken].every(tryRepair)
    ? { value: JSON.parse(json) as unknown }
    : undefined
}

const REPAIRS = new Set(['single-quotes', 'python-word', 'trailing-comma', 'raw-control'])

const PYTHON = {
  guard: NO_MARKS,
  closing: undefined,
  mayRepair: true,
  note: (): true => true,
  fail: (): false => false,
  suspect: () => {},
}
