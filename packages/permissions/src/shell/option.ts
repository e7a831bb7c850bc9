import { entries, type Entry, type Usage, type Words } from './program.ts'
import { WHOLE } from './programs/anything.ts'

/** An option or operand of a command as its program parses it. */
export type Argument =
  | { readonly type: 'operand'; readonly at: number; readonly value: string | undefined }
  | {
      readonly type: 'option'
      readonly at: number
      /** With its dashes but without its value: `-o`, `--output`. */
      readonly name: string
      readonly value: string | undefined
      /** The index of the word with its value, or undefined if it has no value. */
      readonly valueAt?: number
      /**
       * True if its word may be the value of the option before it, so that its own value is an
       * operand.
       */
      readonly unclear?: true
    }

/** An option of a command. */
export type Option = Argument & { type: 'option' }
/** An operand of a command. */
export type Operand = Argument & { type: 'operand' }

/** Parses the words after a program's name into options and operands. */
export function readArguments(
  words: readonly (string | undefined)[],
  usage: Usage,
  { from = 1, early = false }: { from?: number; early?: boolean } = {},
): Argument[] {
  const takes = takesValue(usage)
  const found: Argument[] = []
  let ended = false
  /** The last word that is the value of an option but may itself be an option. */
  let last = -1
  /**
   * A value that looks like an option is also parsed as one, since a table may be wrong about which
   * options take values.
   */
  const separate = (name: string, at: number): number => {
    const value = words[at + 1]
    const unclear = at === last && { unclear: true as const }
    found.push({ type: 'option', at, name, value, valueAt: at + 1, ...unclear })
    if (listed(usage.ends, name, usage)) ended = true
    if (!value?.startsWith('-')) return at + 1
    last = at + 1
    return at
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
      else if (takes(name) === 'value') at = separate(name, at)
      else if (takes(name) === 'two') at = separate(name, separate(name, at))
      else found.push({ type: 'option', at, name, value: undefined })
      continue
    }
    for (let letter = 1; letter < word.length; letter++) {
      const name = `-${word[letter]}`
      const attached = word.slice(letter + 1)
      const value = takes(name)
      if (value === 'nothing' || (value === 'attached' && !attached)) {
        found.push({ type: 'option', at, name, value: undefined })
        continue
      }
      if (attached) found.push({ type: 'option', at, name, value: attached, valueAt: at })
      else at = separate(name, at)
      break
    }
  }
  return found
}

/** True if an option is in a list of a table. */
export function listed(words: Words | undefined, name: string, usage: Usage): boolean {
  for (const entry of entries(words)) if (names(entry, name, usage)) return true
  return false
}

/**
 * True if an option matches an entry of a table. Long options may be abbreviated, in any case, and
 * followed by a dot and a key (`--config.key`). With `oneDash`, one dash and two are equivalent.
 */
function names({ name: full }: Entry, name: string, usage: Usage): boolean {
  if (full === name) return true
  if (name.length < 3) return false
  if (usage.oneDash) return full.toLowerCase() === name.replace(/^--/, '-').toLowerCase()
  if (!name.startsWith('--') || (full.charCodeAt(2) | 32) !== (name.charCodeAt(2) | 32))
    return false
  const [one, other] = [full.toLowerCase(), name.toLowerCase()]
  return (one.startsWith(other) && !WHOLE.has(other)) || other.startsWith(`${one}.`)
}

/**
 * The reason why an option is not a plain one of its program, or undefined if it is. It must match
 * an entry exactly.
 */
export function notPlain(option: Option, usage: Usage): string | undefined {
  const { name, value, valueAt, at } = option
  if (option.unclear) return 'may be the value of the option before it'
  const { options, reading } = plainOf(usage)
  const found = options.get(name) ?? (usage.oneDash && options.get(name.replace(/^--/, '-')))
  if (!found) return /^-\d$/.test(name) ? undefined : UNLISTED
  const { takes, choices } = found
  if (takes === 'nothing') return valueAt === undefined ? undefined : 'takes no value'
  if (choices && (takes === 'value' || valueAt !== undefined))
    return value !== undefined && choices.includes(value)
      ? undefined
      : `is known to be harmless only with ${choices.join(', ')}`
  // Some programs parse each letter of `-Lo` as an option, even if others parse `o` as the value of
  // `-L`.
  const bundled = valueAt === at && !name.startsWith('--') && !usage.oneDash && !reading.has(name)
  const other = bundled && Array.from(value ?? '').find((letter) => !mayStand(letter, options))
  return other ? `may also be read as -${other}` : undefined
}

const UNLISTED = 'is not known to be harmless'

const mayStand = (letter: string, options: ReadonlyMap<string, Entry>): boolean =>
  !/[a-z]/i.test(letter) || options.has(`-${letter}`)

interface Plain {
  readonly options: ReadonlyMap<string, Entry>
  /**
   * Options whose attached value is checked separately, because it is a shell command or a script.
   */
  readonly reading: ReadonlySet<string>
}

const plainOptions = new WeakMap<Usage, Plain>()

/** The plain options of a program. */
export function plainOf(usage: Usage): Plain {
  let found = plainOptions.get(usage)
  if (!found) {
    const { options, texts, files, script, wrapper } = usage
    const read = [texts, script?.options, wrapper?.text].flatMap((words) => entries(words))
    const all = [options, files?.read, files?.write, files?.mention, files?.remote].flatMap(
      (words) => entries(words),
    )
    found = {
      options: new Map([...all, ...read].map((entry) => [entry.name, entry])),
      reading: new Set(read.map(({ name }) => name)),
    }
    plainOptions.set(usage, found)
  }
  return found
}

const known = new WeakMap<Usage, (name: string) => Entry['takes']>()

/** Tells what kind of value an option takes, according to all lists of the table. */
function takesValue(usage: Usage): (name: string) => Entry['takes'] {
  let takes = known.get(usage)
  if (!takes) {
    const { reach, options, texts, ends, files, script, wrapper } = usage
    const all = [
      ...Object.values(reach ?? {}),
      options,
      texts,
      ends,
      files?.read,
      files?.write,
      files?.mention,
      files?.remote,
      script?.options,
      wrapper?.text,
      wrapper?.module,
    ].flatMap((words) => entries(words))
    const cut = all.filter((entry) => entry.takes !== 'nothing')
    // The first entry takes precedence.
    const exactly = new Map([...all].reverse().map((entry) => [entry.name, entry]))
    takes = (name) =>
      (exactly.get(name) ?? cut.find((entry) => names(entry, name, usage)))?.takes ?? 'nothing'
    known.set(usage, takes)
  }
  return takes
}
