/** Throws unless this is a valid name for a tool. */
export function checkToolName(name: unknown, what = 'the name of a tool'): asserts name is string {
  if (typeof name !== 'string' || !isName(name))
    throw new TypeError(
      `Expected ${what} to be 1 to ${MAX_NAME} letters, digits, _ - . : or /, starting with a letter, a digit or _, got ${quoteName(name)}.`,
    )
}

const MAX_NAME = 128

function isName(name: string): boolean {
  return (
    name.length <= MAX_NAME &&
    name.normalize('NFC') === name &&
    /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:/-]*$/u.test(name)
  )
}

function quoteName(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 2 * MAX_NAME)) : typeof name
}
