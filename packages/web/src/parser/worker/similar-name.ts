import { nearest } from '@toolglot/permissions/internal'

/** The name that was probably meant: one that is spelled almost the same, or else one that shares a word with it. */
export function similarName(wrong: string, names: readonly string[]): string | undefined {
  const [close] = nearest(wrong, names)
  if (close !== undefined) return close
  const words = wordsOf(wrong)
  return names.find((name) => wordsOf(name).some((word) => words.includes(word)))
}

/** The longest name that is taken apart. */
const MAX_NAME = 64

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, MAX_NAME)
    .split(/[^a-zA-Z0-9]|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2)
}
