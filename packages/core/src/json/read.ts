import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { YES } from '../read/readers.ts'
import { repairs } from '../repair/index.ts'
import type { Repair, Stop } from '../repair/repair.ts'
import { JsonScanner } from './scanner.ts'

/**
 * Reads JSON up to the next watched key or to its end, and repairs it on the way if the draft allows that. False: it is not
 * JSON, or the input ended inside it.
 */
export function readJson(input: Input, json: JsonScanner, draft: Repairing): Reader<boolean> {
  if (json.loose) return readOn(input, json, draft, false)
  // Most JSON is valid, and there.
  input.cursor = json.scan(input.buffer, input.cursor, input.end)
  return json.why === 'key' || json.why === 'done' ? YES : readOn(input, json, draft, true)
}

/** The same where text is missing or not valid. With `scanned`, what is there has just been read. */
function* readOn(
  input: Input,
  json: JsonScanner,
  draft: Repairing,
  scanned: boolean,
): Reader<boolean> {
  const { guard, closing } = draft
  const stop = { input, json, guard, closing }
  const begin = input.place
  /** Up to here there is nothing that ends the call, and where there is something. */
  let clear = 0
  let found = -1
  let guarded = false
  // Where strict reading stopped, before any repair: that is what went wrong.
  let strict = input.place
  let expected = ''
  const step = (): boolean => {
    let count: number
    do {
      const { place } = input
      // Where a repaired string ends is not certain: what ends the call ends it too. It is not looked for much further than has
      // been read, since the string may end soon.
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
      draft.suspect()
      return draft.fail('syntax', expected, strict)
    }
    if (json.why === 'key' || json.why === 'done') return true
    if (json.why === 'more') return draft.fail('cut', 'more JSON')
    if (json.tooDeep) return draft.fail('too-deep', 'less nesting')
    if (!json.loose) {
      strict = input.place
      expected = EXPECTED[json.state]
    }
    const repair = draft.mayRepair ? yield* cheapest(stop) : undefined
    const from = input.place
    const meant = repair && draft.take(repair.name) && (yield* repair.apply(stop))
    if (repair) draft.note(repair.name, from, meant, input.place)
    if (!repair || meant === false) return draft.fail('syntax', EXPECTED[json.state])
    if (json.state === 'done') return true
  }
}

type Repairing = Pick<
  Draft,
  'guard' | 'closing' | 'mayRepair' | 'take' | 'note' | 'fail' | 'suspect'
>

/** Reads one whole value in the same way, and returns it as strict JSON. */
export function* readJsonText(input: Input, draft: Repairing): Reader<string | undefined> {
  const scanner = new JsonScanner(0)
  const pieces: string[] = []
  scanner.sink = (piece) => pieces.push(piece)
  return (yield* readJson(input, scanner, draft)) ? pieces.join('') : undefined
}

/** The cheapest repair that fits. If two have the same cost, the text is ambiguous, so there is none. */
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

/** How far to look ahead at first. */
const NEAR = 1 << 8
