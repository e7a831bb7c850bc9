/** Throws unless a model can write this as the name of a tool. */
export function checkName(name: unknown, what = 'the name of a tool'): asserts name is string {
  if (typeof name !== 'string' || !isName(name))
    throw new TypeError(
      `Expected ${what} to be 1 to ${LONGEST} letters, digits, _ - . : or /, the first of them a letter, a digit or _, got ${shown(name)}.`,
    )
}

const LONGEST = 128

function isName(name: string): boolean {
  return (
    name.length <= LONGEST &&
    name.normalize('NFC') === name &&
    /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:/-]*$/u.test(name)
  )
}

function shown(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 2 * LONGEST)) : typeof name
}

/** The same text for names that are easily taken for each other. */
export function foldName(name: string): string {
  const bare = name.startsWith(PROVIDER) ? name.slice(PROVIDER.length) : name
  return bare.normalize('NFKC').toLowerCase().normalize('NFKC')
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'
