import { canonicalJson } from '@toolglot/permissions/internal'
import { plainLine } from '../plain-line.ts'
import type { RecordedRequest, Recording } from './tape.ts'

/** How the nearest recording differs from what is asked, in words. */
export function nearestDifference(
  asked: RecordedRequest,
  recordings: readonly Recording[],
): string {
  if (recordings.length === 0) return 'nothing is recorded there'
  const places = recordings.map((recording) => differences(recording.asked, asked))
  const nearest = places.reduce((best, each) => (each.far < best.far ? each : best))
  return `the nearest of ${recordings.length} recorded differs ${nearest.first}`
}

interface Difference {
  /** How far from being the same. */
  readonly far: number
  readonly first: string
}

function differences(recorded: RecordedRequest, asked: RecordedRequest): Difference {
  const same = sharedMessages(recorded, asked)
  const other = KEYS.filter((key) => canonicalJson(recorded[key]) !== canonicalJson(asked[key]))
  const longest = Math.max(recorded.messages.length, asked.messages.length)
  const far = longest - same + other.length
  if (same === longest) {
    const [key = 'model'] = other
    return {
      far,
      first: `in ${key}: recorded ${brief(recorded[key])}, asked for ${brief(asked[key])}`,
    }
  }
  const [before, now] = [recorded.messages[same], asked.messages[same]]
  if (!before || !now) {
    const [more, less] = [recorded, asked].map(({ messages }) => messages.length)
    return { far, first: `in how many messages there are: recorded ${more}, asked for ${less}` }
  }
  const at = firstDifference(before.content, now.content)
  const role = before.role === now.role ? before.role : `${before.role}, now ${now.role}`
  return {
    far,
    first: `in message ${same + 1} (${role}), character ${at + 1}: recorded ${around(before.content, at)}, asked for ${around(now.content, at)}`,
  }
}

const KEYS = ['model', 'tools', 'stop', 'maxTokens', 'temperature'] as const

function sharedMessages(one: RecordedRequest, other: RecordedRequest): number {
  const differs = one.messages.findIndex(
    (message, index) => canonicalJson(message) !== canonicalJson(other.messages[index]),
  )
  return differs < 0 ? one.messages.length : differs
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function around(text: string, at: number): string {
  return at < text.length ? JSON.stringify(plainLine(text.slice(at, at + 40))) : 'its end'
}

function brief(value: unknown): string {
  return value === undefined ? 'none' : plainLine(canonicalJson(value), 80)
}
