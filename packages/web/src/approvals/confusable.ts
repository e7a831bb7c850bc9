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
export interface Confusable {
  readonly word: string
  /** The first letter of it that is another one than it looks like, such as `U+0430`. */
  readonly letter: string
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
