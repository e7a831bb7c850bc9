import { canonicalJson } from '@toolglot/permissions/internal'
import { textOf } from '../content.ts'
import { plainLine } from '../plain-line.ts'
import type { RecordedRequest, Recording } from './recording.ts'

/** Describes how the most similar recording differs from a request. */
export function nearestDifference(
  request: RecordedRequest,
  recordings: readonly Recording[],
): string {
  if (recordings.length === 0) return 'it has no recordings'
  const differences = recordings.map((recording) => compare(recording.asked, request))
  const nearest = differences.reduce((best, each) => (each.distance < best.distance ? each : best))
  return `the most similar of ${recordings.length} recordings differs ${nearest.first}`
}

interface Difference {
  /** The number of messages and options that differ. */
  readonly distance: number
  /** Where the first difference is, for people. */
  readonly first: string
}

function compare(recorded: RecordedRequest, request: RecordedRequest): Difference {
  const same = sharedMessages(recorded, request)
  const other = KEYS.filter((key) => canonicalJson(recorded[key]) !== canonicalJson(request[key]))
  const longest = Math.max(recorded.messages.length, request.messages.length)
  const distance = longest - same + other.length
  if (same === longest) {
    const [key = 'model'] = other
    return {
      distance,
      first: `in ${key}: recorded ${brief(recorded[key])}, requested ${brief(request[key])}`,
    }
  }
  const [recordedMessage, message] = [recorded.messages[same], request.messages[same]]
  if (!recordedMessage || !message) {
    const [before, now] = [recorded, request].map(({ messages }) => messages.length)
    return { distance, first: `in the number of messages: recorded ${before}, requested ${now}` }
  }
  const [before, now] = [textOf(recordedMessage.content), textOf(message.content)]
  const at = firstDifference(before, now)
  const role =
    recordedMessage.role === message.role
      ? message.role
      : `${recordedMessage.role}, now ${message.role}`
  return {
    distance,
    first: `in message ${same + 1} (${role}), character ${at + 1}: recorded ${textAt(before, at)}, requested ${textAt(now, at)}`,
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

function textAt(text: string, at: number): string {
  return at < text.length
    ? JSON.stringify(plainLine(text.slice(at, at + 40)))
    : 'the end of the text'
}

function brief(value: unknown): string {
  return value === undefined ? 'none' : plainLine(canonicalJson(value), 80)
}
