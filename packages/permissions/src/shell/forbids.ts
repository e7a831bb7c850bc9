import { levels } from './reach.ts'
import { type CommandPattern, matchesWildcard } from './pattern.ts'
import { list } from './program.ts'
import { programNamed } from './programs/index.ts'

/**
 * The words of a command in the form that deny and ask rules compare: the program without its
 * folder, case-folded if case doesn't matter.
 */
export function normalizedWords(
  words: readonly (string | undefined)[],
  fold: (word: string) => string,
): readonly (string | undefined)[] {
  const [name] = words
  const base = name === undefined ? undefined : baseName(name, fold)
  return base === name ? words : [base, ...words.slice(1)]
}

/** The name of a program without its folder and `.exe`. */
export const baseName = (name: string, fold: (word: string) => string): string =>
  fold(name.slice(name.lastIndexOf('/') + 1).replace(/\.exe$/i, ''))

/**
 * True if a deny or ask rule covers a command in any spelling: with options in any order, bundled,
 * long or abbreviated, and with options before the subcommand (`git -C . push`).
 */
export function forbids(
  pattern: CommandPattern,
  words: readonly (string | undefined)[],
  fold: (word: string) => string,
): boolean {
  switch (pattern.type) {
    case 'any':
      return true
    case 'text':
      return false
    case 'glob': {
      const plain = words.map((word) => word ?? '')
      return (
        matchesWildcard(pattern.text, plain.join(' ')) ||
        matchesWildcard(pattern.text, operandsOnly(plain).join(' '))
      )
    }
    default: {
      const left = operandsAfter(pattern.words, words, fold)
      return left !== undefined && (pattern.type === 'prefix' || left === 0)
    }
  }
}

/**
 * The number of operands after the words of a rule, or undefined if a command doesn't begin with
 * these words.
 */
function operandsAfter(
  rule: readonly string[],
  words: readonly (string | undefined)[],
  fold: (word: string) => string,
): number | undefined {
  if (words[0] === undefined || baseName(rule[0]!, fold) !== words[0]) return undefined
  const wanted = rule.slice(1).filter((word) => !isOption(word))
  const options = rule.slice(1).filter(isOption)
  let at = 1
  for (const operand of wanted) {
    // Skips options and words that may be their values.
    while (
      at < words.length &&
      words[at] !== operand &&
      (isOption(words[at]) || isOption(words[at - 1]))
    )
      at++
    if (words[at] !== operand) return undefined
    at++
  }
  const given = words.slice(1)
  const same = spellings(words)
  if (
    !options.every((option) =>
      lettersOf(option).every((part) =>
        given.some((word) => word !== undefined && gives(word, part, same)),
      ),
    )
  )
    return undefined
  return words.slice(at).filter((word) => word === undefined || !isOption(word)).length
}

const isOption = (word: string | undefined): boolean => word !== undefined && /^-./.test(word)

const operandsOnly = (words: readonly string[]): string[] =>
  words.filter((word, at) => !isOption(word) && !(at > 1 && /^-[A-Za-z]$/.test(words[at - 1]!)))

/** `-rf` is `-r` and `-f`. */
const lettersOf = (option: string): string[] =>
  /^-[A-Za-z]{2,3}$/.test(option) ? Array.from(option.slice(1), (letter) => `-${letter}`) : [option]

function spellings(words: readonly (string | undefined)[]): readonly (readonly string[])[] {
  const program = words[0] === undefined ? undefined : programNamed(words[0])
  return program ? levels(words, program).flatMap(({ usage }) => (usage.same ?? []).map(list)) : []
}

/** True if a word is the option in any spelling. */
function gives(word: string, option: string, same: readonly (readonly string[])[]): boolean {
  const all = same.find((group) => group.includes(option)) ?? [option]
  const name = word.startsWith('--') ? word.split('=', 1)[0]! : word
  return all.some((spelling) => {
    if (name === spelling) return true
    if (spelling.startsWith('--'))
      return name.length > 3 && name.startsWith('--') && spelling.startsWith(name)
    return (
      /^-[A-Za-z]+$/.test(name) &&
      !name.startsWith('--') &&
      spelling.length === 2 &&
      name.includes(spelling[1]!)
    )
  })
}
