import { list, type Usage, type Words } from './program.ts'
import { WHOLE } from './programs/anything.ts'

/** A word of a command, read as its program reads it. */
export type Argument =
  | { readonly type: 'operand'; readonly at: number; readonly value: string | undefined }
  | {
      readonly type: 'option'
      readonly at: number
      /** With its dashes, without its value: `-o`, `--output`. */
      readonly name: string
      readonly value: string | undefined
      /** The word its value stands in; undefined: it has none. */
      readonly valueAt?: number
    }

/** Reads words behind a program's name as its options and operands. */
export function readArguments(
  words: readonly (string | undefined)[],
  usage: Usage,
  { from = 1, early = false }: { from?: number; early?: boolean } = {},
): Argument[] {
  const takes = takesValue(usage)
  const found: Argument[] = []
  let ended = false
  /** A value that looks like an option is looked at again: a table may be wrong about what takes one. */
  const separate = (name: string, at: number): number => {
    found.push({ type: 'option', at, name, value: words[at + 1], valueAt: at + 1 })
    if (listed(usage.ends, name, usage)) ended = true
    return words[at + 1]?.startsWith('-') ? at : at + 1
  }
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || word === '-' || !word.startsWith('-') || ended) {
      found.push({ type: 'operand', at, value: word })
      if (early || usage.early) ended = true
      continue
    }
    if (word === '--' && !usage.oneDash) {
      ended = true
      continue
    }
    const equals = word.indexOf('=')
    if (word.startsWith('--') || usage.oneDash) {
      const name = equals > 0 ? word.slice(0, equals) : word
      if (equals > 0)
        found.push({ type: 'option', at, name, value: word.slice(equals + 1), valueAt: at })
      else if (takes(name)) at = separate(name, at)
      else found.push({ type: 'option', at, name, value: undefined })
      continue
    }
    for (let letter = 1; letter < word.length; letter++) {
      const name = `-${word[letter]}`
      if (!takes(name)) {
        found.push({ type: 'option', at, name, value: undefined })
        continue
      }
      const glued = word.slice(letter + 1)
      if (glued) found.push({ type: 'option', at, name, value: glued, valueAt: at })
      else at = separate(name, at)
      break
    }
  }
  return found
}

/** Whether a written option is in a list of a table. */
export const listed = (words: Words | undefined, name: string, usage: Usage): boolean =>
  list(words).some((entry) => names(entry, name, usage))

/**
 * Whether a written option is one that a table names: long ones may be cut short, in any case, with the name of a part behind
 * a point (`--config.key`), and of one dash or two where a dash is a word's.
 */
function names(entry: string, name: string, usage: Usage): boolean {
  const full = entry.endsWith('=') ? entry.slice(0, -1) : entry
  if (full === name) return true
  if (name.length < 3) return false
  if (usage.oneDash) return full.toLowerCase() === name.replace(/^--/, '-').toLowerCase()
  if (!name.startsWith('--') || (full.charCodeAt(2) | 32) !== (name.charCodeAt(2) | 32))
    return false
  const [one, other] = [full.toLowerCase(), name.toLowerCase()]
  return (one.startsWith(other) && !WHOLE.has(other)) || other.startsWith(`${one}.`)
}

const known = new WeakMap<Usage, (name: string) => boolean>()

/** Whether an option takes the next word: as every list of the table has it. */
function takesValue(usage: Usage): (name: string) => boolean {
  let takes = known.get(usage)
  if (!takes) {
    const entries = [
      ...Object.values(usage.reach ?? {}),
      usage.values,
      usage.texts,
      usage.ends,
      usage.only,
      usage.files?.read,
      usage.files?.write,
      usage.files?.mention,
      usage.script?.options,
      usage.wrapper?.text,
    ].flatMap((words) => list(words).filter((entry) => entry.endsWith('=')))
    takes = (name) => entries.some((entry) => names(entry, name, usage))
    known.set(usage, takes)
  }
  return takes
}
