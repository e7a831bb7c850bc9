import { type Call, createParser, type Malformed, type Protocol } from '@toolglot/core'
import { bestKnownFirst, comparedProtocols, parserOptions } from './parser-options.ts'
import { callChecker, type CallChecker } from './call-problems.ts'
import { type Comparison, KINDS, type Pieces, type ReadOptions, type Track } from './messages.ts'
import type { Pause } from './read-reply.ts'
import { ReplyFold } from './reply-fold.ts'
import { stripOf } from './strip-of.ts'

/** Two 32-bit numbers: enough to distinguish a hundred readings. */
class Hash {
  #one = 0x811c9dc5
  #two = 0x9e3779b9

  add(number: number): void {
    this.#one = Math.imul(this.#one ^ number, 0x01000193)
    this.#two = Math.imul(this.#two ^ number, 0x85ebca6b) ^ (this.#two >>> 13)
  }

  addText(text: string): void {
    this.add(text.length)
    for (let at = 0; at < text.length; at++) this.add(text.charCodeAt(at))
  }

  text(): string {
    return `${this.#one >>> 0}-${this.#two >>> 0}`
  }
}

/** A comparison, with the pieces of each reading by protocol. */
export interface StoredComparison {
  readonly comparison: Comparison
  readonly pieces: ReadonlyMap<string, Pieces>
  /** The calls and malformed pieces of each reading. */
  readonly values: ReadonlyMap<Pieces, ReadonlyMap<number, Call | Malformed>>
  readonly check: CallChecker
}

/** The number of characters parsed before other messages are handled. */
const SLICE = 2048
/** The maximum number of pieces in all strips together, and in one strip. */
const MAX_PIECES = 600
const MAX_STRIP = 300

/**
 * Parses a reply with each protocol separately. Protocols with the same reading share a track,
 * named after the best-known one. The tracks that agree most with the `read` one come first.
 */
export async function compareProtocols(
  text: string,
  options: ReadOptions,
  pause: Pause,
  read?: Pieces,
): Promise<StoredComparison> {
  const started = performance.now()
  let readingTime = 0
  const compared = comparedProtocols(options)
  const check = callChecker(options.tools)
  const tracks = new Map<string, { protocols: string[]; pieces: Pieces; fold: ReplyFold }>()
  for (const [name, protocol] of compared) {
    const { fold, time } = await readBy(protocol, text, options, check, pause)
    readingTime += time
    const key = readingKey(fold)
    const same = tracks.get(key)
    if (same) same.protocols.push(name)
    else {
      const pieces = { kinds: Uint8Array.from(fold.kinds), ends: Uint32Array.from(fold.ends) }
      tracks.set(key, { protocols: [name], pieces, fold })
    }
  }
  const all = [...tracks.values()]
    .map((track) => ({
      ...track,
      protocols: track.protocols.sort(bestKnownFirst),
      agrees: read ? agreement(track.pieces, read) : 0,
    }))
    .sort(
      (a, b) =>
        Number(b.protocols.includes('drawn')) - Number(a.protocols.includes('drawn')) ||
        b.agrees - a.agrees ||
        score(b.fold) - score(a.fold) ||
        b.fold.forged - a.fold.forged ||
        bestKnownFirst(a.protocols[0]!, b.protocols[0]!),
    )
  const max = Math.min(MAX_STRIP, Math.max(8, Math.floor(MAX_PIECES / all.length)))
  return {
    pieces: new Map(
      all.flatMap(({ protocols, pieces }) => protocols.map((id) => [id, pieces] as const)),
    ),
    values: new Map(all.map(({ pieces, fold }) => [pieces, fold.values])),
    check,
    comparison: {
      count: compared.length,
      time: performance.now() - started,
      readingTime,
      tracks: all.map(({ protocols, pieces, fold }): Track => ({
        protocols,
        counts: fold.counts,
        hasReasoning: fold.kinds.includes(KINDS.indexOf('reasoning')),
        strip: stripOf(pieces, max),
      })),
    },
  }
}

/** Calls without repairs count most. */
function score({ calls, repairs, malformed }: ReplyFold): number {
  return calls * 4 - malformed * 2 - Math.min(repairs, calls)
}

async function readBy(
  protocol: Protocol,
  text: string,
  options: ReadOptions,
  check: CallChecker,
  pause: Pause,
): Promise<{ readonly fold: ReplyFold; readonly time: number }> {
  let time = 0
  const fold = new ReplyFold(check)
  const parser = createParser({ ...parserOptions(options), protocols: [protocol] })
  for (let at = 0; at < text.length; at += SLICE) {
    const begun = performance.now()
    const events = parser.feed(text.slice(at, at + SLICE))
    time += performance.now() - begun
    for (const event of events) fold.add(event)
    const pausing = pause()
    if (pausing) await pausing
  }
  const begun = performance.now()
  const events = parser.end({ finish: options.finish })
  time += performance.now() - begun
  for (const event of events) fold.add(event)
  return { fold, time }
}

/** The number of characters that two readings classify the same way. */
function agreement(one: Pieces, other: Pieces): number {
  let same = 0
  let place = 0
  for (let first = 0, second = 0; first < one.ends.length && second < other.ends.length;) {
    const end = Math.min(one.ends[first]!, other.ends[second]!)
    if (one.kinds[first] === other.kinds[second]) same += end - place
    place = end
    if (one.ends[first]! === end) first++
    if (other.ends[second]! === end) second++
  }
  return same
}

/** Equal for readings that differ only in the name of the protocol. */
function readingKey({ kinds, ends, values }: ReplyFold): string {
  const hash = new Hash()
  for (let at = 0; at < kinds.length; at++) {
    hash.add(kinds[at]!)
    hash.add(ends[at]!)
    const value = values.get(at)
    if (!value) continue
    hash.addText(
      'args' in value
        ? JSON.stringify([value.name, value.args, value.complete, value.repairs])
        : JSON.stringify([value.problem, value.at]),
    )
  }
  return hash.text()
}
