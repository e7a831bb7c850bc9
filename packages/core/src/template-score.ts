import { print, printCalls } from './print/print.ts'
import type { Protocol } from './protocol.ts'

/**
 * How much of a chat template a protocol explains: the characters of its marks that are there, less those that are not.
 * Where the marks of a call are not all there, or nothing else of it is, it is another's.
 */
export function templateScore(protocol: Protocol, chatTemplate: string): number {
  const { models, template, result, ignore = [] } = protocol
  const has = (mark: string): boolean => chatTemplate.includes(mark)
  if (template && has(template)) return Infinity
  const called = marksIn(printCalls(protocol, [call]))
  const ignored = ignore.filter((mark) => typeof mark === 'string')
  const around = [print(result, call, { output }), ...ignored].flatMap(marksIn)
  // What any model can be told to write has no template; and another's call may look the same.
  if (!models?.length || !called.length || !called.every(has) || !around.some(has)) return 0
  return [...called, ...around].reduce(
    (sum, mark) => sum + (has(mark) ? mark.length : -mark.length),
    MOST,
  )
}

/** More than all marks of a protocol together. */
const MOST = 1e4

/** What is drawn into every hole, and is no part of a mark. */
const HOLE = '§'
const call = { name: HOLE, args: { [HOLE]: HOLE }, id: HOLE }
const output = { output: HOLE, failed: false }

/** `|mark|`, `<tag>`, `<tag=`, `[MARK]`: templates write marks whole, though not always the brackets around them. */
function marksIn(text: string): string[] {
  return text.match(/[|｜][^\s|｜<>§]+[|｜]|<\/?[^\s<>|｜§/]+[>=]?|\[\/?\w+\]/g) ?? []
}
