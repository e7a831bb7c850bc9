import { print, printAround, printCalls } from './print/print.ts'
import type { Protocol } from './protocol.ts'

/**
 * How much of a chat template a protocol explains: the number of characters of its marks that occur in it. If any mark of its
 * calls or results is missing, the template belongs to another protocol.
 */
export function templateScore(protocol: Protocol, chatTemplate: string): number {
  const { models, dialect, template, result, results, ignore = [] } = protocol
  const has = (mark: string): boolean => chatTemplate.includes(mark)
  const called = marksIn(printCalls(protocol, [call]))
  const drawn = [...called, ...marksIn(printAround(results, [print(result, call, { output })]))]
  // A protocol for any model has no chat template.
  if (!models?.length) return 0
  // Marks count more than the one text that identifies a template.
  const hasMarks = called.length > 0 && !(dialect && drawn.length === called.length)
  if (!hasMarks || !drawn.every(has)) return template && has(template) ? 0.5 : 0

  const ignored = ignore.filter((mark) => typeof mark === 'string')
  return [...drawn, ...ignored].filter(has).join('').length
}

/** How many lines of a protocol's prompt a template contains. */
export function wordsIn({ prompt }: Protocol, chatTemplate: string): number {
  const lines = prompt({ tools: [], example: '' }).split('\n')
  return lines.filter((line) => line.length > SHORT && chatTemplate.includes(line)).length
}

/** Lines of at most this length are not specific enough. */
const SHORT = 8

/** What is printed into every hole; not part of any mark. */
const HOLE = '§'
const call = { name: HOLE, args: { [HOLE]: HOLE }, id: HOLE }
const output = { output: HOLE, failed: false }

/** `|mark|`, `<tag>`, `<tag=`, `[MARK]`: templates contain whole marks, but not always the brackets around them. */
function marksIn(text: string): string[] {
  return text.match(/[|｜][^\s|｜<>§]+[|｜]|<\/?[^\s<>|｜§/]+[>=]?|\[\/?\w+\]/g) ?? []
}
