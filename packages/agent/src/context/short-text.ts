import { boundaryAtOrBefore } from '../result/character-boundary.ts'

/** A text of at most so many characters: it ends with a sentence if one ends there, else with an ellipsis. */
export function shortText(text: string, max: number): string {
  if (text.length <= max) return text
  const head = text.slice(0, boundaryAtOrBefore(text, max))
  const end = lastSentence(head, text[head.length])
  if (end >= max / 4) return head.slice(0, end).trimEnd()
  const cut = head.slice(0, boundaryAtOrBefore(head, max - 1))
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > max / 2 ? space : cut.length).trimEnd()}…`
}

/** The first sentence of a text, of at most so many characters. */
export function firstSentence(text: string, max: number): string {
  const whole = text.trim()
  for (let at = 0; at < Math.min(whole.length, max); at++)
    if (endsSentence(whole, at, whole[at + 1])) return whole.slice(0, at + 1).trimEnd()
  return shortText(whole, max)
}

/** Where the last sentence in a text ends; 0 if none does. */
function lastSentence(text: string, next: string | undefined): number {
  for (let at = text.length - 1; at >= 0; at--)
    if (endsSentence(text, at, text[at + 1] ?? next)) return at + 1
  return 0
}

function endsSentence(text: string, at: number, next: string | undefined): boolean {
  const sign = text[at]!
  if ('\n。！？'.includes(sign)) return true
  if (!'.!?'.includes(sign) || (next !== undefined && !' \n\t'.includes(next))) return false
  // Not the dot of "e.g." or "1.".
  return sign !== '.' || !ABBREVIATION.test(text.slice(Math.max(0, at - 4), at))
}

const ABBREVIATION = /(?:^|[\s(.])(?:\p{L}|\d{1,2}|etc|vs)$/u
