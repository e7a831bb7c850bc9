import type { RunCall } from '@toolglot/agent'
import type { Decision, DecisionPart } from '@toolglot/permissions'
import { type Unseen, unseenIn } from '../ui/unseen.ts'
import type { CommandFound } from './command-of.ts'
import { addsText } from './reasons.ts'

/** Letters that look like Latin ones, and are not. */
const OTHER_ALPHABETS =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** Signs that look like those that shells and paths are made of. Full-width ones are usual beside Chinese and Japanese. */
const LOOKALIKE =
  /[\u2215\u2044\u2010\u2011\u2024\u2236\u29f5\u29f8\ufe68\ua789]|(?<![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e](?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u

/** Marks on top of each other: no language writes so many. */
const STACKED = /\p{M}{3,}/u

/** Letters and digits of Latin shape with another number: full-width and mathematical ones. */
const OTHER_SHAPES = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u

/** Cyrillic and Greek letters that look exactly like Latin ones. */
const TWINS = /^[аеіјорсухһԁѕԛԝАВЕІЈКМНОРСТУХЅԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧο0-9]+$/u

const LATIN = /\p{Script=Latin}/u

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** A word that does not consist of the letters that it seems to. */
interface Confusable {
  readonly word: string
  /** The first letter of it that is another one than it looks like, such as `U+0430`. */
  readonly letter: string
}

/** Why a call may not be what it seems, or not what the model meant. */
export type Caution =
  | { readonly type: 'repaired'; readonly repairs: readonly string[] }
  | { readonly type: (typeof FACTS)[number] }
  /** One of the decision's parts already explains the caution. */
  | { readonly type: 'doubted' }
  /** Several arguments could be the command that is executed. */
  | { readonly type: 'ambiguous' }
  /** It is not known what the command does. */
  | { readonly type: 'unparsed' }
  /** It is too long to be shown at once. */
  | { readonly type: 'cut' }
  | { readonly type: 'unseen'; readonly name: string }
  | ({ readonly type: 'confusable' } & Confusable)

/** The facts about how a call was written. */
export type WrittenCall = Pick<RunCall, (typeof FACTS)[number]> & Partial<Pick<RunCall, 'repairs'>>

/** A call that somebody decides on. */
export interface CallToApprove {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly parts: readonly DecisionPart[]
  /** Undefined if no model wrote it. */
  readonly call?: WrittenCall | undefined
  /** With the names of the tool and its arguments that we know. */
  readonly decided?: Decision['call']
  readonly command?: CommandFound
  readonly isCut?: boolean
}

const FACTS = [
  'afterResult',
  'fenced',
  'inReasoning',
  'markerless',
  'afterMalformed',
  'otherProtocol',
] as const

/** Invisible characters that cannot mislead anybody, as the permissions define them. */
const HARMLESS: ReadonlySet<string> = new Set(['missing-closer', 'coerced'])
/** It only makes the character before it colourful. */
const EMOJI_VARIATION = 'U+FE0F'
/** The permissions' words about a command that they cannot parse. */
const UNPARSED = /\bcannot be parsed\b/
/** Longer texts are contents, in which words of several alphabets are usual. */
const MAX_NAME = 500

/**
 * Every reason to look twice at a call before allowing it. If there is one, a single key must not be enough to allow the call,
 * and no button suggests it.
 */
export function cautionsFor(toApprove: CallToApprove): readonly Caution[] {
  const { name, args, parts, call, command, isCut = false } = toApprove
  const cautions: Caution[] = FACTS.filter((fact) => call?.[fact]).map((type) => ({ type }))
  const repairs = call?.repairs?.filter((repair) => !HARMLESS.has(repair)) ?? []
  if (repairs.length > 0) cautions.push({ type: 'repaired', repairs })
  if (cautions.length === 0 && parts.some(({ doubted }) => doubted))
    cautions.push({ type: 'doubted' })

  if (command === 'several') cautions.push({ type: 'ambiguous' })
  if (parts.some(({ why }) => UNPARSED.test(why))) cautions.push({ type: 'unparsed' })
  if (isCut) cautions.push({ type: 'cut' })

  const contents = contentsOf(toApprove)
  const texts = [name, ...parts.map(({ what }) => what)]
  const own = textsIn(args)
  const looked = [...texts, ...own.map((text) => (contents.has(text) ? withoutUsual(text) : text))]
  const unseen = firstIn(looked, firstUnseen)
  if (unseen) cautions.push({ type: 'unseen', name: unseen.name })
  // However long they are: anybody may have chosen the names of files.
  const found = typeof command === 'object' ? command.text : undefined
  const added = parts.filter((part) => addsText(part, found)).map(({ what }) => what)
  const confusable =
    firstIn([...texts, ...own], (text) =>
      text.length > MAX_NAME || text.includes('\n') ? undefined : confusableIn(text),
    ) ?? firstIn(added, confusableIn)
  if (confusable) cautions.push({ type: 'confusable', ...confusable })
  return cautions
}

/** The arguments of our own tools that are contents of files. */
const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  Write: ['content'],
  Edit: ['old_string', 'new_string'],
}

function contentsOf({ decided }: CallToApprove): ReadonlySet<unknown> {
  const names = decided && Object.hasOwn(CONTENTS, decided.name) ? CONTENTS[decided.name]! : []
  return new Set(names.map((name) => decided?.args[name]))
}

/**
 * A text without the characters that nobody sees and that are usual in files: the ends of lines that Windows writes, spaces as
 * wide as a Chinese character, and what joins emoji.
 */
function withoutUsual(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\u3000', ' ').replaceAll(JOINED, '')
}

const JOINED =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu

function firstUnseen(text: string): Unseen | undefined {
  return firstIn(unseenIn(text), (each) => (each.name === EMOJI_VARIATION ? undefined : each))
}

function firstIn<Value, Found>(
  values: Iterable<Value>,
  find: (value: Value) => Found | undefined,
): Found | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every text in a value, at any depth, names of fields included. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        texts.push(key)
        left.push(inner)
      }
    }
  }
  return texts
}

/** The first word of a text whose letters are not what they look like: `сat` with a Cyrillic с; undefined if there is none. */
export function confusableIn(text: string): Confusable | undefined {
  for (const [word] of text.matchAll(WORD)) {
    const found = OTHER_SHAPES.exec(word) ?? (isDisguised(word) ? OTHER_ALPHABETS.exec(word) : null)
    if (!found) continue
    return { word, letter: nameOf(found[0]) }
  }
  return lookalikeIn(text)
}

function lookalikeIn(text: string): Confusable | undefined {
  const found = LOOKALIKE.exec(text) ?? STACKED.exec(text)
  if (!found) return undefined
  const around = text.slice(0, found.index).split(/\s/).at(-1)!.slice(-20)
  const word = around + text.slice(found.index).split(/\s/, 1)[0]!.slice(0, 20)
  return { word, letter: nameOf(found[0]) }
}

function nameOf(letter: string): string {
  return `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Whether letters of another alphabet stand among Latin ones, or pretend to be a Latin word. */
function isDisguised(word: string): boolean {
  return OTHER_ALPHABETS.test(word) && (LATIN.test(word) || TWINS.test(word))
}
