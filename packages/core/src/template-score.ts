import { familyOf } from './families.ts'
import { outputOf } from './print/output.ts'
import { print, printAround, printCalls } from './print/print.ts'
import { promptOf } from './prompts.ts'
import type { Protocol } from './protocol.ts'

/**
 * How much of a chat template a protocol explains: the number of characters of its marks that occur in it. If a mark of its
 * calls is missing, the template belongs to another protocol; likewise a mark of its results, unless the template writes a
 * call's JSON as drawn.
 */
export function templateScore(protocol: Protocol, chatTemplate: string): number {
  const { dialect, result, results, ignore = [] } = protocol
  const { models, template } = familyOf(protocol)
  // A protocol for any model has no chat template.
  if (!models) return 0
  const has = (mark: string): boolean => chatTemplate.includes(mark)
  const written = printCalls(protocol, [call])
  const called = marksIn(written)
  const drawn = [...called, ...marksIn(printAround(results, [print(result, call, { output })]))]
  const ignored = ignore.filter((mark) => typeof mark === 'string')
  const explained = [...drawn, ...ignored].filter(has).join('').length
  // Marks count more than the one text that identifies a template, and that more than a call alone.
  const hasMarks = called.length > 0 && !(dialect && drawn.length === called.length)
  if (hasMarks && drawn.every(has)) return explained
  if (template && has(template)) return 0.5
  return called.length > 0 && called.every(has) && writes(chatTemplate, written)
    ? explained / MANY
    : 0
}

/** Whether a template writes a call's JSON as drawn: the text up to the name, and the keys after it. */
function writes(chatTemplate: string, written: string): boolean {
  const squeezed = squeeze(chatTemplate)
  const [opening = '', ...rest] = squeeze(written).split(HOLE)
  // Marks alone are not enough: several families share them.
  if (!opening.includes('"') || !squeezed.includes(opening)) return false
  return rest.every((part) => (part.match(/"\w+":/g) ?? []).every((key) => squeezed.includes(key)))
}

/** A template's text without what differs between a template and what it prints: whitespace, and how characters are escaped. */
function squeeze(text: string): string {
  return text.replace(/\\n|\\|\s/g, '')
}

/** How many characters of a protocol's prompt a template contains, in whole lines. */
export function wordsIn(protocol: Protocol, chatTemplate: string): number {
  const lines = promptOf(protocol)?.({ tools: [], example: '' }).split('\n') ?? []
  return lines.filter((line) => line.length > SHORT && chatTemplate.includes(line)).join('').length
}

/** More characters than any protocol's marks have. */
const MANY = 10_000

/** Lines of at most this length are not specific enough. */
const SHORT = 8

/** What is printed into every hole: a letter, which is written as it is, and not part of any mark. */
const HOLE = 'ꙮ'
const call = { name: HOLE, args: { [HOLE]: HOLE }, id: HOLE }
const output = outputOf(HOLE)

/** `|mark|`, `<tag>`, `<tag=`, `[MARK]`: templates contain whole marks, but not always the brackets around them. */
function marksIn(text: string): string[] {
  return text.match(/[|｜][^\s|｜<>ꙮ]+[|｜]|<\/?[^\s<>|｜ꙮ/]+[>=]?|\[\/?\w+\]/g) ?? []
}
