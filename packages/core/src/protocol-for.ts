import { checkText } from './options.ts'
import { everyProtocol, type ProtocolId, readProtocols } from './registry.ts'
import { familyOf } from './families.ts'
import type { Protocol } from './protocol.ts'
import { outputOf } from './print/output.ts'
import { print, printAround, printCalls } from './print/print.ts'
import { promptOf } from './prompts.ts'

/** A number of characters that exceeds the marks of any protocol. */
const MANY = 10_000

/** Lines up to this length are not specific enough. */
const SHORT = 8

/** The text printed into every hole: a letter that needs no escape and is not part of any mark. */
const HOLE = 'ꙮ'

const call = { name: HOLE, args: { [HOLE]: HOLE }, id: HOLE }

const output = outputOf(HOLE)

/** A model's protocol or, if it is unknown, the ids of the most similar ones. */
type ProtocolFor =
  | { readonly protocol: Protocol; readonly nearest: readonly [] }
  | { readonly protocol: undefined; readonly nearest: readonly ProtocolId[] }

export type { ProtocolFor }

/**
 * The protocol of a model, by its name (as servers, hubs and files spell it) or by its chat
 * template. It never guesses: the result has no protocol if the model is unknown or several
 * protocols match.
 */
export function protocolFor(model: string | { readonly chatTemplate: string }): ProtocolFor {
  if (typeof model === 'string') return protocolForName(model)
  checkText('chatTemplate', model?.chatTemplate)
  const { chatTemplate } = model
  const found = best(everyProtocol, (protocol) => templateScore(protocol, chatTemplate))
  if (found.length < 2) return answer(found)
  // Dialects share marks with another protocol. Only the prompt identifies a dialect; without it,
  // the other protocol is chosen.
  const worded = best(found, (protocol) => wordsIn(protocol, chatTemplate))
  const likely = worded.length > 0 ? worded : found
  return answer(likely.length > 1 ? found.filter(({ dialect }) => !dialect) : likely)
}

/** The protocol for a model's name. */
function protocolForName(model: string): ProtocolFor {
  const name = lastPart(model)
  const found = best(everyProtocol, (protocol) =>
    familyOf(protocol).models?.some((known) => known.test(name)) ? 1 : 0,
  )
  return answer(
    found[0] ? found : best(readProtocols, (protocol) => likeness(protocol, name)),
    found,
  )
}

/** The protocol, if exactly one was found; otherwise the nearest ones. */
function answer(
  nearest: readonly Protocol[],
  [protocol, another]: readonly Protocol[] = nearest,
): ProtocolFor {
  return protocol && !another
    ? { protocol, nearest: [] }
    : { protocol: undefined, nearest: nearest.map(({ id }) => id as ProtocolId) }
}

/** The protocols with the highest score, if any score is above zero. */
function best(among: readonly Protocol[], score: (protocol: Protocol) => number): Protocol[] {
  const scores = among.map(score)
  const highest = Math.max(...scores)
  return among.filter((_, i) => highest > 0 && scores[i] === highest)
}

/**
 * 1 if the description of a protocol's models contains the first word of a name, or a word with the
 * same beginning.
 */
function likeness(protocol: Protocol, name: string): number {
  const { about, models } = familyOf(protocol)
  const [first = ''] = name.match(/^[a-z]{3,}/) ?? []
  const words =
    models && first
      ? (`${protocol.id} ${about.split(':')[0]}`.toLowerCase().match(/[a-z]+/g) ?? [])
      : []
  const alike = (word: string): boolean =>
    word === first ||
    (Math.min(word.length, first.length) > 4 && word.startsWith(first.slice(0, 4)))
  return words.some(alike) ? 1 : 0
}

/**
 * `hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M` → `qwen3-8b-gguf:q4_k_m`, truncated to the maximum length of
 * a file name.
 */
function lastPart(name: string): string {
  const last = name.split(/[\\/]|--/).reduce((before, part) => part || before)
  return last.slice(0, 255).trim().toLowerCase()
}

/**
 * The number of characters of a protocol's marks that occur in a chat template. If a mark of its
 * calls is missing, the template belongs to another protocol; the same is true for a mark of its
 * results, unless the template writes a call's JSON as drawn.
 */
function templateScore(protocol: Protocol, chatTemplate: string): number {
  const { dialect, result, results, ignore = [] } = protocol
  const { models, template } = familyOf(protocol)
  // Protocols that work with any model have no chat template.
  if (!models) return 0
  const has = (mark: string): boolean => chatTemplate.includes(mark)
  const written = printCalls(protocol, [call])
  const called = marksIn(written)
  const drawn = [...called, ...marksIn(printAround(results, [print(result, call, { output })]))]
  const ignored = ignore.filter((mark) => typeof mark === 'string')
  const explained = [...drawn, ...ignored].filter(has).join('').length
  // Marks outrank the one text that identifies a template, and that text outranks a call alone.
  const hasMarks = called.length > 0 && !(dialect && drawn.length === called.length)
  if (hasMarks && drawn.every(has)) return explained
  if (template && has(template)) return 0.5
  return called.length > 0 && called.every(has) && writes(chatTemplate, written)
    ? explained / MANY
    : 0
}

/**
 * True if a template writes a call's JSON as drawn: the text up to the name, and the keys after it.
 */
function writes(chatTemplate: string, written: string): boolean {
  const squeezed = squeeze(chatTemplate)
  const [opening = '', ...rest] = squeeze(written).split(HOLE)
  // Marks alone are not enough: several families share them.
  if (!opening.includes('"') || !squeezed.includes(opening)) return false
  return rest.every((part) => (part.match(/"\w+":/g) ?? []).every((key) => squeezed.includes(key)))
}

/**
 * A template's text without whitespace and escapes, which differ between a template and its output.
 */
function squeeze(text: string): string {
  return text.replace(/\\n|\\|\s/g, '')
}

/** The number of characters in whole lines that a template shares with a protocol's prompt. */
function wordsIn(protocol: Protocol, chatTemplate: string): number {
  const lines = promptOf(protocol)?.({ tools: [], example: '' }).split('\n') ?? []
  return lines.filter((line) => line.length > SHORT && chatTemplate.includes(line)).join('').length
}

/** `|mark|`, `<tag>`, `<tag=`, `[MARK]`: templates contain whole marks, but not always the brackets around them. */
function marksIn(text: string): string[] {
  return text.match(/[|｜][^\s|｜<>ꙮ]+[|｜]|<\/?[^\s<>|｜ꙮ/]+[>=]?|\[\/?\w+\]/g) ?? []
}
