import { listed, readArguments, type Argument } from './option.ts'
import { list, type Reasons, type Usage, type Words } from './program.ts'
import { ANYWHERE, LETTERS } from './programs/anything.ts'

/** That a command does more than its program's name says, and the last word a rule must write down to mean it. */
export interface Reach {
  readonly why: string
  /** Undefined: the whole command. */
  readonly word: number | undefined
}

type Option = Argument & { type: 'option' }

export interface ReachOptions {
  /** The first word that belongs to the usage. */
  readonly from?: number
  /** Whether a table describes the program. */
  readonly known?: boolean
  /** The usage this one is a command of: what its operands must not be holds here too. */
  readonly outer?: Usage
}

/** How far a command reaches. */
export function findReach(
  words: readonly (string | undefined)[],
  usage: Usage,
  { from = 1, known = true, outer = {} }: ReachOptions = {},
): Reach | undefined {
  if (usage.always) return { why: usage.always, word: undefined }
  if (usage.harmless) return undefined
  const found: Reach[] = []
  const given = readArguments(words, usage, { from })
  const operands = given.filter((argument) => argument.type === 'operand')
  for (const argument of given) {
    if (argument.type === 'option') {
      const why = ofOption(argument, usage, known) ?? loading(argument, words, usage)
      if (why) found.push({ why, word: argument.valueAt ?? argument.at })
    } else {
      const why = ofOperand(argument, usage) ?? ofOperand(argument, outer)
      if (why) found.push({ why, word: argument.at })
    }
  }
  for (const word of late(words, usage, from))
    found.push({ why: 'gives an option behind `--`', word })
  if (usage.bare && !operands.length && !hasOption(given, usage.bareFine, usage))
    found.push({ why: usage.bare, word: undefined })
  if (usage.operandsReach && operands[0])
    found.push({ why: usage.operandsReach, word: operands[0].at })
  const texts = scripts(given, usage)
  for (const { text, at } of texts) {
    const why = text === undefined ? undefined : usage.script!.doubt(text)
    if (why) found.push({ why, word: at })
  }
  // Each may be harmless, and all together one program that is not.
  const whole = texts.length > 1 && usage.script!.doubt(texts.map(({ text }) => text).join('\n'))
  if (whole) found.push({ why: whole, word: texts.at(-1)!.at })
  return furthest(found)
}

/** The first reason of several, and the last word of them all. */
export function furthest(reaches: readonly Reach[]): Reach | undefined {
  const [first] = reaches
  if (!first) return undefined
  let word: number | undefined = 0
  for (const reach of reaches)
    word = word === undefined || reach.word === undefined ? undefined : Math.max(word, reach.word)
  return { why: first.why, word }
}

/** The scripts a command gives its program in its own small language. */
function scripts(
  given: readonly Argument[],
  usage: Usage,
): { text: string | undefined; at: number }[] {
  const { script, operands } = usage
  if (!script) return []
  const found = given.flatMap((argument) =>
    argument.type === 'option' && listed(script.options, argument.name, usage)
      ? [{ text: argument.value, at: argument.valueAt ?? argument.at }]
      : [],
  )
  const first = given.find((argument) => argument.type === 'operand')
  if (operands?.first === 'script' && first && !hasOption(given, operands.unless, usage))
    found.push({ text: first.value, at: first.at })
  return found
}

export const hasOption = (
  given: readonly Argument[],
  words: Words | undefined,
  usage: Usage,
): boolean =>
  given.some((argument) => argument.type === 'option' && listed(words, argument.name, usage))

function ofOption({ name, value }: Option, usage: Usage, known: boolean): string | undefined {
  const dangerous = value === undefined ? undefined : matching(usage.valueReach, value)
  if (dangerous) return `${name} ${dangerous}`
  const has = (words: Words) => listed(words, name, usage)
  const own = reason(usage.reach, has)
  if (own) return `${name} ${own}`
  if (usage.only !== undefined)
    return has(usage.only) || isCount(name) ? undefined : `${name} is not known to be harmless here`
  if (
    exactly(usage.fine, name) ||
    exactly(usage.values, name) ||
    exactly(usage.texts, name) ||
    exactly(usage.files?.read, name)
  )
    return undefined
  if (exactly(usage.script?.options, name)) return undefined
  const anywhere = name.startsWith('--') && reason(ANYWHERE, has)
  if (anywhere) return `${name} ${anywhere}`
  const letter = !known && reason(LETTERS, has)
  return letter ? `${name} ${letter}` : undefined
}

/** A file that code is loaded from. */
const CODE = /^\.{0,2}\/|\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|so|dll|dylib|jar|sh|wasm)$/i

function loading(
  { name, value, at }: Option,
  words: readonly (string | undefined)[],
  usage: Usage,
) {
  const { loads, fine, values, files } = usage
  if (!loads || [fine, values, files?.read].some((listed) => exactly(listed, name)))
    return undefined
  const named = value ?? words[at + 1]
  return named !== undefined && CODE.test(named) ? `${name} ${loads}` : undefined
}

const ofOperand = ({ value }: { value: string | undefined }, usage: Usage): string | undefined =>
  value === undefined ? undefined : matching(usage.operandReach, value)

const matching = (
  patterns: Readonly<Record<string, RegExp>> = {},
  value: string,
): string | undefined => Object.entries(patterns).find(([, pattern]) => pattern.test(value))?.[0]

const reason = (reasons: Reasons | undefined, has: (words: Words) => boolean): string | undefined =>
  Object.entries(reasons ?? {}).find(([, words]) => has(words))?.[0]

const exactly = (words: Words | undefined, name: string): boolean =>
  list(words).includes(name) || list(words).includes(`${name}=`)

const isCount = (name: string): boolean => /^-\d$/.test(name)

/**
 * Words behind `--` that would reach as options: whether `--` ended them hangs on whether the option before it takes a value,
 * which a table may not know; and what it passes on to another program may reach there.
 */
function late(words: readonly (string | undefined)[], usage: Usage, from: number): number[] {
  const mark = words.indexOf('--', from)
  if (mark < 0 || usage.oneDash) return []
  const before = words[mark - 1]
  const sure = !before?.startsWith('-') || list(usage.fine).includes(before)
  return words.flatMap((word, at) => {
    if (at <= mark || !word?.startsWith('-') || word === '-') return []
    const [name] = word.split('=', 1)
    return !sure || reason(ANYWHERE, (entries) => listed(entries, name!, {})) ? [at] : []
  })
}
