import { checkText } from './options.ts'
import { everyProtocol, type ProtocolId, readProtocols } from './registry.ts'
import { familyOf } from './families.ts'
import type { Protocol } from './protocol.ts'
import { outputOf } from './print/output.ts'
import { print, printAround, printCalls } from './print/print.ts'
import { promptOf } from './prompts.ts'

/** More characters than any protocol's marks have. */
const MANY = 10_000

/** Lines of at most this length are not specific enough. */
const SHORT = 8

/** The text printed into every hole: a letter, which needs no escape and is not part of any mark. */
const HOLE = 'ꙮ'

const call = { name: HOLE, args: { [HOLE]: HOLE }, id: HOLE }

const output = outputOf(HOLE)

/** A model's protocol; if unknown, the ids of the nearest ones. */
type ProtocolFor =
  | { readonly protocol: Protocol; readonly nearest: readonly [] }
  | { readonly protocol: undefined; readonly nearest: readonly ProtocolId[] }

export type { ProtocolFor }

/**
 * The protocol that a model writes, by its name (as servers, hubs and files spell it) or by its chat template. It never guesses:
 * if the model is unknown or several protocols fit, there is none.
 */
export function protocolFor(model: string | { readonly chatTemplate: string }): ProtocolFor {
  if (typeof model === 'string') return protocolForName(model)
  checkText('chatTemplate', model?.chatTemplate)
  const { chatTemplate } = model
  const found = best(everyProtocol, (protocol) => templateScore(protocol, chatTemplate))
  if (found.length < 2) return answer(found)
  // A dialect shares its marks with another protocol: its prompt identifies it, and without that the other one is meant.
  const worded = best(found, (protocol) => wordsIn(protocol, chatTemplate))
  const likely = worded.length > 0 ? worded : found
  return answer(likely.length > 1 ? found.filter(({ dialect }) => !dialect) : likely)
}

/** The protocol that a model of this name writes. */
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

/** The only protocol that was found, or which ones are near. */
function answer(
  nearest: readonly Protocol[],
  [protocol, another]: readonly Protocol[] = nearest,
): ProtocolFor {
  return protocol && !another
    ? { protocol, nearest: [] }
    : { protocol: undefined, nearest: nearest.map(({ id }) => id as ProtocolId) }
}

/** Those with the highest score, if any score at all. */
function best(among: readonly Protocol[], score: (protocol: Protocol) => number): Protocol[] {
  const scores = among.map(score)
  const highest = Math.max(...scores)
  return among.filter((_, i) => highest > 0 && scores[i] === highest)
}

/** 1 if the description of a protocol's models contains the first word of a name, or a word that begins like it. */
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

/** `hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M` → `qwen3-8b-gguf:q4_k_m`, cut to the maximum length of a file name. */
function lastPart(name: string): string {
  const last = name.split(/[\\/]|--/).reduce((before, part) => part || before)
  return last.slice(0, 255).trim().toLowerCase()
}

/**
 * How much of a chat template a protocol explains: the number of characters of its marks that occur in it. If a mark of its
 * calls is missing, the template belongs to another protocol; likewise a mark of its results, unless the template writes a
 * call's JSON as drawn.
 */
function templateScore(protocol: Protocol, chatTemplate: string): number {
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
function wordsIn(protocol: Protocol, chatTemplate: string): number {
  const lines = promptOf(protocol)?.({ tools: [], example: '' }).split('\n') ?? []
  return lines.filter((line) => line.length > SHORT && chatTemplate.includes(line)).join('').length
}

/** `|mark|`, `<tag>`, `<tag=`, `[MARK]`: templates contain whole marks, but not always the brackets around them. */
function marksIn(text: string): string[] {
  return text.match(/[|｜][^\s|｜<>ꙮ]+[|｜]|<\/?[^\s<>|｜ꙮ/]+[>=]?|\[\/?\w+\]/g) ?? []
}
