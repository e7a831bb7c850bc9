import { notPlain, readArguments, type Argument, type Option, listed, plainOf } from './option.ts'
import { type Usage, type Condition, entries, type Reasons, type Words } from './program.ts'
import { ANYWHERE, LETTERS } from './programs/anything.ts'

/** A program or subcommand among the words: `git`, `git remote`, `git remote show`. */
export interface Level {
  readonly usage: Usage
  /** The index of its first word, and the index after its last one. */
  readonly from: number
  readonly to: number
  /** The reason why its subcommand may not be plain, and the word with the subcommand. */
  readonly unknown?: Reach
}

const UNKNOWN = 'is unknown until it runs'
const UNLISTED: Usage = { operands: { rest: 'mention' }, open: true }

/** The levels of a command. The remaining words belong to the last level. */
export function levels(words: readonly (string | undefined)[], usage: Usage, from = 1): Level[] {
  if (!usage.commands) return [{ usage, from, to: words.length }]
  const given = readArguments(words, usage, { from, early: true })
  const named = given.find((argument) => argument.type === 'operand')
  if (!named) return [{ usage, from, to: words.length }]
  const inner =
    named.value === undefined || !Object.hasOwn(usage.commands, named.value)
      ? undefined
      : usage.commands[named.value]
  const unsure = given.find((argument) => argument.type === 'option' && mayTake(argument, usage))
  if (inner) {
    const why = unsure
      ? `may read ${named.value} as the value of an option`
      : inner.stated && `\`${named.value}\` ${inner.stated}`
    const outer = { usage, from, to: named.at, unknown: why ? { why, word: named.at } : undefined }
    return [outer, ...levels(words, inner, named.at + 1)]
  }
  // Words that are not subcommands are operands here.
  const asksFor = usage.asksFor && named.at === words.length - 1
  if ((usage.otherwise === undefined || asksFor) && named.value !== undefined)
    return [{ usage, from, to: words.length }]
  const why = `${named.value === undefined ? 'its subcommand' : `\`${named.value}\``} ${usage.otherwise ?? UNKNOWN}`
  return [
    { usage, from, to: named.at, unknown: { why, word: named.at } },
    {
      usage: { ...UNLISTED, ...(usage.wrapper && { wrapper: usage.wrapper }) },
      from: named.at,
      to: words.length,
    },
  ]
}

/**
 * True if an option may take the next word as its value, although no table lists that. Then another
 * word is the subcommand.
 */
const mayTake = (option: Option, usage: Usage): boolean =>
  option.valueAt === undefined && notPlain(option, usage) !== undefined

/** The reason why a command does more than its program's name suggests, at any of its levels. */
export const reachOf = (
  words: readonly (string | undefined)[],
  found: readonly Level[],
  known: boolean,
): Reach | undefined => furthest(reachesOf(words, found, known))

/** All reasons why a command does more than its program's name suggests. */
export function reachesOf(
  words: readonly (string | undefined)[],
  found: readonly Level[],
  known: boolean,
): readonly Reach[] {
  const outer = found[0]!.usage
  return found.flatMap(({ usage, from, to, unknown }, at) => {
    const named = at < found.length - 1
    const own = to < words.length ? words.slice(0, to) : words
    const reaches = findReaches(own, usage, { from, known, outer, named })
    return unknown ? [unknown, ...reaches] : reaches
  })
}

/** The arguments of the last level. */
export const argumentsOf = (
  words: readonly (string | undefined)[],
  { usage, from }: Level,
): Argument[] => readArguments(words, usage, { from })

/**
 * The reason why a command does more than its program's name suggests, and the last word that a
 * rule must contain to allow it.
 */
interface Reach {
  readonly why: string
  /** Undefined if a rule must contain the whole command. */
  readonly word: number | undefined
}

/** The words to check, and facts about the program. */
interface ReachOptions {
  /** The index of the first word that belongs to the usage. */
  readonly from?: number
  /** True if a table describes the program. */
  readonly known?: boolean
  /** The usage of the outer program, for a subcommand. Its restrictions on operands also apply. */
  readonly outer?: Usage
  /** True if a subcommand follows, whose words are checked separately. */
  readonly named?: boolean
}

/** All reasons why a command does more than its program's name suggests. */
function findReaches(
  words: readonly (string | undefined)[],
  usage: Usage,
  { from = 1, known = true, outer = {}, named = false }: ReachOptions = {},
): readonly Reach[] {
  if (usage.always) return [{ why: usage.always, word: undefined }]
  if (usage.harmless) return []
  const found: Reach[] = []
  const passesOn = usage.passes !== undefined || usage.passesAnything
  const mark = passesOn ? words.indexOf('--', from) : -1
  const own = mark < 0 ? words : words.slice(0, mark)
  const given = readArguments(own, usage, { from })
  const operands = given.filter((argument) => argument.type === 'operand')
  for (const argument of given) {
    if (argument.type === 'option') {
      const why = ofOption(argument, usage, known)
      if (why) found.push({ why, word: argument.valueAt ?? argument.at })
    } else {
      const why =
        ofOperand(argument, usage, argument === operands[0]) ?? ofOperand(argument, outer, false)
      if (why) found.push({ why, word: argument.at })
    }
  }
  found.push(...(passesOn ? passedOn(words, usage, mark) : afterEndOfOptions(words, usage, from)))
  if (usage.bare && !named && !operands.length && !hasOption(given, usage.bareFine, usage))
    found.push({ why: usage.bare, word: undefined })
  if (usage.operandsReach && operands[0])
    found.push({ why: usage.operandsReach, word: operands[0].at })
  const texts = scripts(given, usage)
  for (const { text, at } of texts) {
    const why = text === undefined ? undefined : usage.script!.caution(text)
    if (why) found.push({ why, word: at })
  }
  // Each script may be harmless on its own, but together they may form a program that isn't.
  const whole = texts.length > 1 && usage.script!.caution(texts.map(({ text }) => text).join('\n'))
  if (whole) found.push({ why: whole, word: texts.at(-1)!.at })
  return found
}

/** The first of several reasons, with the position of the furthest word among them. */
function furthest(reaches: readonly Reach[]): Reach | undefined {
  const [first] = reaches
  if (!first) return undefined
  let word: number | undefined = 0
  for (const reach of reaches)
    word = word === undefined || reach.word === undefined ? undefined : Math.max(word, reach.word)
  return { why: first.why, word }
}

/** The scripts in a small language among the arguments of a command. */
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

/** True if the arguments include one of these options. */
export const hasOption = (
  given: readonly Argument[],
  words: Words | undefined,
  usage: Usage,
): boolean =>
  words !== undefined &&
  given.some((argument) => argument.type === 'option' && listed(words, argument.name, usage))

/** True if the options satisfy a condition of a table. */
export const isCase = (given: readonly Argument[], condition: Condition, usage: Usage): boolean =>
  (condition.with === undefined || hasOption(given, condition.with, usage)) &&
  !hasOption(given, condition.unless, usage) &&
  (condition.only === undefined || hasOnly(given, condition.only))

const hasOnly = (given: readonly Argument[], only: Words): boolean =>
  given.every(
    (argument) =>
      argument.type === 'operand' ||
      entries(only).some(({ name }) => name === argument.name) ||
      // `head -5` is `head -n 5`.
      (/^-\d+$/.test(argument.name) && entries(only).some(({ name }) => name === '-n')),
  )

function ofOption(option: Option, usage: Usage, known: boolean): string | undefined {
  const { name, value } = option
  const dangerous = value === undefined ? undefined : matching(usage.valueReach, value)
  if (dangerous) return `${name} ${dangerous}`
  if (value !== undefined && !REVISION.test(value) && listed(usage.revisions, name, usage))
    return `${name} takes something other than a revision`
  const why = notPlain(option, usage)
  const exactly = reason(usage.reach, (words) =>
    entries(words).some((entry) => entry.name === name),
  )
  // An option in both lists is plain only with the listed values.
  const chosen = plainOf(usage).options.get(name)?.choices !== undefined
  if (why === undefined && (!exactly || chosen)) return undefined
  const has = (words: Words) => listed(words, name, usage)
  const own = exactly ?? reason(usage.reach, has)
  if (own) return `${name} ${own}`
  const anywhere = name.startsWith('--') && reason(ANYWHERE, has)
  if (anywhere) return `${name} ${anywhere}`
  const letter = !known && reason(LETTERS, has)
  if (letter) return `${name} ${letter}`
  return known && !usage.open ? `${name} ${why}` : undefined
}

/** A revision that can't mean anything else to git or a shell. */
const REVISION = /^[\w@][\w./@{}^~:+-]*$/

function ofOperand(
  { value }: { value: string | undefined },
  { operandReach, plainFirst, plainOperand }: Usage,
  isFirst: boolean,
): string | undefined {
  if (value === undefined) return undefined
  const reaches = matching(operandReach, value)
  if (reaches) return reaches
  const plain = (isFirst ? plainFirst : undefined) ?? plainOperand
  return !plain || plain.test(value) ? undefined : `\`${value}\` is not known to be harmless`
}

function matching(
  patterns: Readonly<Record<string, RegExp>> | undefined,
  value: string,
): string | undefined {
  for (const why in patterns) if (patterns[why]!.test(value)) return why
  return undefined
}

function reason(reasons: Reasons | undefined, has: (words: Words) => boolean): string | undefined {
  for (const why in reasons) if (has(reasons[why]!)) return why
  return undefined
}

/**
 * Words after `--` that would reach as options. The word before `--` may be an option that takes
 * `--` as its value, although the table doesn't list it, and words that are passed to another
 * program may reach there.
 */
function afterEndOfOptions(
  words: readonly (string | undefined)[],
  usage: Usage,
  from: number,
): Reach[] {
  const mark = words.indexOf('--', from)
  if (mark < 0 || usage.oneDash) return []
  const before = words[mark - 1]
  const sure = !before?.startsWith('-') || plainOf(usage).options.get(before)?.takes === 'nothing'
  return words.flatMap((word, at) => {
    if (at <= mark || !word?.startsWith('-') || word === '-') return []
    const [name] = word.split('=', 1)
    const reaches = !sure || reason(ANYWHERE, (words) => listed(words, name!, {}))
    return reaches ? [{ why: `has the option ${name} after \`--\``, word: at }] : []
  })
}

/** Words after `--` that may not be plain for the program they are passed to. */
function passedOn(
  words: readonly (string | undefined)[],
  { passes, plainOperand }: Usage,
  mark: number,
): Reach[] {
  if (mark < 0 || passes === undefined) return []
  let other = PASSING.get(passes)
  if (!other) PASSING.set(passes, (other = { options: passes }))
  return readArguments(words, other, { from: mark + 1 }).flatMap((argument) => {
    if (argument.type === 'operand') {
      const why = ofOperand(argument, { plainOperand }, false)
      return why ? [{ why, word: argument.at }] : []
    }
    const why = notPlain(argument, other)
    const word = argument.valueAt ?? argument.at
    return why ? [{ why: `passes on ${argument.name}, which ${why}`, word }] : []
  })
}

/** One usage for each list of options, so that a list is parsed once. */
const PASSING = new Map<Words, Usage>()
