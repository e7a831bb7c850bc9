import type { RunCall } from '@toolglot/agent'
import type { Decision, DecisionPart } from '@toolglot/permissions'
import { type Unseen, unseenIn } from '../ui/unseen.ts'
import type { CommandFound } from './command-of.ts'
import { addsText } from './reasons.ts'

/** Letters of other alphabets that look Latin. */
const OTHER_ALPHABETS =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Characters that resemble shell and path syntax. Full-width ones are common in Chinese and
 * Japanese text.
 */
const LOOKALIKE =
  /[\u2215\u2044\u2010\u2011\u2024\u2236\u29f5\u29f8\ufe68\ua789]|(?<![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e](?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u

/** Stacked combining marks: no language uses this many. */
const STACKED = /\p{M}{3,}/u

/** Latin letters and digits with other code points: full-width and mathematical ones. */
const OTHER_SHAPES = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u

/** Cyrillic and Greek letters that look identical to Latin ones. */
const TWINS = /^[аеіјорсухһԁѕԛԝАВЕІЈКМНОРСТУХЅԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧο0-9]+$/u

const LATIN = /\p{Script=Latin}/u

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** A word containing homoglyphs. */
interface Confusable {
  readonly word: string
  /** The code point of its first homoglyph, such as `U+0430`. */
  readonly letter: string
}

/** A reason why a call may be misleading or unintended. */
export type Caution =
  | { readonly type: 'repaired'; readonly repairs: readonly string[] }
  | { readonly type: (typeof FACTS)[number] }
  /** One of the decision's parts already explains the caution. */
  | { readonly type: 'doubted' }
  /** Several arguments could be the executed command. */
  | { readonly type: 'ambiguous' }
  /** The effect of the command is unknown. */
  | { readonly type: 'unparsed' }
  /** Too long to show at once. */
  | { readonly type: 'cut' }
  | { readonly type: 'unseen'; readonly name: string }
  | ({ readonly type: 'confusable' } & Confusable)

/** The recorded facts about how the model wrote a call. */
export type WrittenCall = Pick<RunCall, (typeof FACTS)[number]> & Partial<Pick<RunCall, 'repairs'>>

/** A call that needs the user's decision. */
export interface CallToApprove {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly parts: readonly DecisionPart[]
  /** Undefined if no model wrote it. */
  readonly call?: WrittenCall | undefined
  /** The resolved names of the tool and its arguments. */
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

/** Invisible characters that cannot mislead the reader, as named by the permissions. */
const HARMLESS: ReadonlySet<string> = new Set(['missing-closer', 'coerced'])
/** Only turns the previous character into an emoji. */
const EMOJI_VARIATION = 'U+FE0F'
/** The permissions' text about a command that they cannot parse. */
const UNPARSED = /\bcannot be parsed\b/
/** Longer texts are contents, in which several alphabets in one word are common. */
const MAX_NAME = 500

/**
 * All reasons to look twice at a call before allowing it. If there is one, a single key must not
 * allow the call, and no button is highlighted.
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
  // Commands are checked at any length: file names in them may come from anyone.
  const found = typeof command === 'object' ? command.text : undefined
  const added = parts.filter((part) => addsText(part, found)).map(({ what }) => what)
  const confusable =
    firstIn([...texts, ...own], (text) =>
      text.length > MAX_NAME || text.includes('\n') ? undefined : confusableIn(text),
    ) ?? firstIn(added, confusableIn)
  if (confusable) cautions.push({ type: 'confusable', ...confusable })
  return cautions
}

/** The arguments of our own tools that are file contents. */
const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  Write: ['content'],
  Edit: ['old_string', 'new_string'],
}

function contentsOf({ decided }: CallToApprove): ReadonlySet<unknown> {
  const names = decided && Object.hasOwn(CONTENTS, decided.name) ? CONTENTS[decided.name]! : []
  return new Set(names.map((name) => decided?.args[name]))
}

/**
 * Removes invisible characters that are common in files: Windows line ends, ideographic spaces, and
 * emoji joiners.
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

/** All strings in a value, at any depth, including the names of fields. */
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

/**
 * The first word that contains homoglyphs, such as `сat` with a Cyrillic с. Undefined if there is
 * none.
 */
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

/** True if a word mixes Latin letters with another alphabet, or imitates a Latin word. */
function isDisguised(word: string): boolean {
  return OTHER_ALPHABETS.test(word) && (LATIN.test(word) || TWINS.test(word))
}
