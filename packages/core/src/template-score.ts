import { print, printAround, printCalls } from './print/print.ts'
import type { Protocol } from './protocol.ts'

/**
 * How much of a chat template a protocol explains: the characters of its marks that are there. Where a mark of its calls
 * or of its results is not, the template is another's.
 */
export function templateScore(protocol: Protocol, chatTemplate: string): number {
  const { models, dialect, template, result, results, ignore = [] } = protocol
  const has = (mark: string): boolean => chatTemplate.includes(mark)
  const called = marksIn(printCalls(protocol, [call]))
  const drawn = [...called, ...marksIn(printAround(results, [print(result, call, { output })]))]
  // What any model can be told to write has no template.
  if (!models?.length) return 0
  // Pictures are believed before the one text that stands for them.
  const hasMarks = called.length > 0 && !(dialect && drawn.length === called.length)
  if (!hasMarks || !drawn.every(has)) return template && has(template) ? 0.5 : 0

  const ignored = ignore.filter((mark) => typeof mark === 'string')
  return [...drawn, ...ignored].filter(has).join('').length
}

/** How many lines of a protocol's prompt a template holds. */
export function wordsIn({ prompt }: Protocol, chatTemplate: string): number {
  const lines = prompt({ tools: [], example: '' }).split('\n')
  return lines.filter((line) => line.length > SHORT && chatTemplate.includes(line)).length
}

/** Lines that say nothing of whose they are. */
const SHORT = 8

/** What is drawn into every hole, and is no part of a mark. */
const HOLE = '§'
const call = { name: HOLE, args: { [HOLE]: HOLE }, id: HOLE }
const output = { output: HOLE, failed: false }

/** `|mark|`, `<tag>`, `<tag=`, `[MARK]`: templates write marks whole, though not always the brackets around them. */
function marksIn(text: string): string[] {
  return text.match(/[|｜][^\s|｜<>§]+[|｜]|<\/?[^\s<>|｜§/]+[>=]?|\[\/?\w+\]/g) ?? []
}
