import { isSafeAssignment } from './programs/assignments.ts'
import { listed, readArguments, type Argument } from './option.ts'
import { type Level, hasOption } from './reach.ts'
import { list, type Words, type Wrapper } from './program.ts'

/** The commands that a wrapper such as `xargs` or `sh -c` runs. */
export interface Wrapped {
  /** Commands among its words, each with the index of its first word. */
  readonly commands: readonly {
    readonly at: number
    readonly words: readonly (string | undefined)[]
    readonly doubts: readonly string[]
    /** True if its unknown words are names of files that the wrapper finds, which are judged. */
    readonly named?: boolean
  }[]
  /** The shell commands that it runs. */
  readonly texts: readonly string[]
  /** Reasons why part of the code it runs is unknown. */
  readonly doubts: readonly string[]
}

const NOTHING: Wrapped = { commands: [], texts: [], doubts: [] }

const FED = 'words from its input'

/**
 * Finds the commands that a wrapper runs, or returns undefined if it runs nothing with these
 * options.
 */
export function findWrapped(
  words: readonly (string | undefined)[],
  level: Level,
  wrapper: Wrapper,
): Wrapped | undefined {
  const given = readArguments(words, level.usage, { from: level.from, early: true })
  if (hasOption(given, wrapper.unless, level.usage)) return undefined
  if (wrapper.vague) return NOTHING
  if (wrapper.module) return moduleCommand(words, given, wrapper.module, level)
  if (wrapper.sections)
    return { ...NOTHING, commands: sections(words, level.from, list(wrapper.sections)) }
  const texts = optionTexts(words, level, wrapper, given)
  if (texts.texts.length || texts.doubts.length) return { ...NOTHING, ...texts }
  if (wrapper.input || (wrapper.here && !wrapper.joins)) return NOTHING
  const operands = given.filter((argument) => argument.type === 'operand')
  const mark = wrapper.after ? words.indexOf(wrapper.after, level.from) : -1
  const rest = mark >= 0 ? words.slice(mark + 1) : undefined
  const start = rest ? mark + 1 : operands[wrapper.skip ?? 0]?.at
  if (start === undefined && wrapper.otherwise !== undefined)
    return {
      ...NOTHING,
      commands: [{ at: words.length, words: [wrapper.otherwise, undefined], doubts: [FED] }],
    }
  if (start === undefined) return NOTHING
  if (wrapper.joins) return { ...NOTHING, ...joinedText(words.slice(start)) }
  return {
    ...NOTHING,
    commands: [plainCommand(words, start, wrapper)].filter((command) => command.words.length),
  }
}

/** The command in `-m NAME …`, whose words start with the name. */
function moduleCommand(
  words: readonly (string | undefined)[],
  given: readonly Argument[],
  option: Words,
  { usage }: Level,
): Wrapped | undefined {
  const found = given.find(
    (argument) => argument.type === 'option' && listed(option, argument.name, usage),
  )
  if (found?.type !== 'option' || found.valueAt === undefined) return undefined
  const start = found.valueAt
  const rest = words.slice(found.valueAt === found.at ? start + 1 : start)
  const command = found.valueAt === found.at ? [found.value, ...rest] : rest
  return { ...NOTHING, commands: [{ at: start, words: command, doubts: [] }] }
}

/** Every `-exec rm {} ;`. */
function sections(
  words: readonly (string | undefined)[],
  from: number,
  marks: readonly string[],
): Wrapped['commands'] {
  const found = []
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    const mark =
      word !== undefined && marks.find((entry) => entry === word || word.startsWith(`${entry}=`))
    if (!mark) continue
    const attached = word.length > mark.length ? [word.slice(mark.length + 1)] : []
    const section: (string | undefined)[] = []
    let end = at + 1
    for (; end < words.length && !endsSection(words, end); end++) {
      const inner = words[end]
      section.push(inner?.includes('{') ? undefined : inner)
    }
    found.push({
      at: at + 1,
      words: [...attached, ...section],
      doubts: ['words that are inserted when it runs'],
    })
    at = end
  }
  return found
}

/**
 * True if a section ends at a word: at `;`, or at a `+` directly after `{}`. Any other `+` is an
 * argument.
 */
export const endsSection = (words: readonly (string | undefined)[], at: number): boolean =>
  words[at] === ';' || (words[at] === '+' && words[at - 1] === '{}')

function optionTexts(
  words: readonly (string | undefined)[],
  { usage, from }: Level,
  wrapper: Wrapper,
  given: readonly Argument[],
): Pick<Wrapped, 'texts' | 'doubts'> {
  const has = given.some(
    (argument) => argument.type === 'option' && listed(wrapper.text, argument.name, usage),
  )
  if (!has) return { texts: [], doubts: [] }
  // Any word that isn't an option may be the text, since the table may not list all options.
  const candidates = words
    .slice(from)
    .flatMap((word) => (word === undefined || /^[-+]/.test(word) ? [] : [word]))
  const values = given.flatMap((argument) =>
    argument.type === 'option' && argument.value ? [argument.value] : [],
  )
  const unknown = words.slice(from).includes(undefined)
  return {
    texts: [...new Set([...values, ...candidates])].slice(0, 8),
    doubts: unknown ? ['code that is unknown until it runs'] : [],
  }
}

function joinedText(words: readonly (string | undefined)[]): Pick<Wrapped, 'texts' | 'doubts'> {
  const literal = words.filter((word) => word !== undefined)
  const texts = [
    literal.join(' '),
    ...literal.filter((word) => literal.length > 1 && /\s/.test(word)),
  ].slice(0, 8)
  return {
    texts,
    doubts: literal.length < words.length ? ['code that is unknown until it runs'] : [],
  }
}

/** A command that consists of the words from `start` on. */
function plainCommand(
  words: readonly (string | undefined)[],
  start: number,
  wrapper: Wrapper,
): Wrapped['commands'][number] {
  const doubts: string[] = []
  let at = start
  for (let word = words[at]; wrapper.assigns && word !== undefined; word = words[++at]) {
    const equals = word.indexOf('=')
    if (equals < 1) break
    if (!isSafeAssignment(word.slice(0, equals), word.slice(equals + 1)))
      doubts.push(`sets ${word.slice(0, equals)}`)
  }
  if (!wrapper.adds) {
    const mark = wrapper.unmarks ? words.indexOf('--', at) : -1
    const own = words.filter((_, index) => index >= at && (mark < 0 || index !== mark))
    return { at, words: own, doubts }
  }
  return {
    at,
    words: [...words.slice(at), undefined],
    doubts: [...doubts, FED],
  }
}
