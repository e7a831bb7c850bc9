import { resolve } from 'node:path'
import { forbidden } from './rules.mjs'

/** A placeholder for any hash among judged words. */
const ANY_HASH = '0'.repeat(40)

/**
 * The lists of words that a decision judged. Undefined in a list means any number of unknown words.
 */
export const judgedLists = ({ parts }) =>
  parts.flatMap(({ subject }) =>
    subject === undefined || !('words' in subject) || subject.guess
      ? []
      : [subject.words, subject.written ?? []].filter(({ length }) => length > 0).map(inBytes),
  )

const inBytes = (words) =>
  words.map((word) =>
    word === undefined || word === ANY_HASH ? undefined : Buffer.from(word).toString('latin1'),
  )

/** The files that a decision covers. */
export const judgedFiles = ({ parts }) =>
  parts.flatMap(({ subject }) =>
    subject?.kind === 'write' && subject.path !== undefined && subject.cwd !== undefined
      ? [resolve(subject.cwd, subject.path)]
      : [],
  )

/** Commands that bash ran without being judged or covered by a rule. */
export function differences(recorded, judged, set) {
  const found = []
  for (const words of recorded) {
    const why =
      forbidden(words, set) ??
      (judged.some((list) => matches(words, list)) ? undefined : 'no such words were judged')
    if (why !== undefined) found.push({ words, why })
  }
  return found
}

/** True if words match a list. */
export function matches(words, list) {
  /** The possible numbers of words consumed by the items so far. */
  let ends = new Set([0])
  for (const item of list) {
    const next = new Set()
    for (const end of ends)
      if (item === undefined) for (let at = end; at <= words.length; at++) next.add(at)
      else if (words[end] === item) next.add(end + 1)
    ends = next
  }
  return ends.has(words.length)
}
