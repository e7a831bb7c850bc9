import { argumentsOf, levels, type Level, hasOption } from './reach.ts'
import { list, type Usage } from './program.ts'
import { programNamed } from './programs/index.ts'
import { listed, type Argument } from './option.ts'

/**
 * True if a wrapper that adds words from its input, such as `xargs`, has only options that don't
 * affect what it runs: each name in the input becomes one word.
 */
export const addsPlainly = (given: readonly Argument[], usage: Usage): boolean =>
  given.every((argument) => {
    if (argument.type === 'operand') return true
    const { adds, replaces } = usage.wrapper!
    return (
      listed(adds, argument.name, usage) ||
      listed(replaces, argument.name, usage) ||
      isLineEnd(argument, usage)
    )
  })

/** True if each line of the input is a name, including its blanks and quotes: `xargs -d '\n'`. */
export const isLineEnd = (argument: Argument, usage: Usage): boolean =>
  argument.type === 'option' &&
  listed(usage.wrapper?.delimits, argument.name, usage) &&
  (argument.value === '\\n' || argument.value === '\n')

/** The placeholders for words from the input. */
export const marksOf = (given: readonly Argument[], usage: Usage): readonly string[] =>
  given.flatMap((argument) =>
    argument.type === 'option' &&
    argument.value &&
    listed(usage.wrapper?.replaces, argument.name, usage)
      ? [argument.value]
      : [],
  )

/** Words from the input of a wrapper. */
export interface InputWords {
  /** The placeholder words. */
  readonly marks: readonly string[]
  /** True if each word is the name of a file, which is judged, and none is an option. */
  readonly areNames: boolean
}

/** True if words from its input can't make a command do more than its own words suggest. */
export function takesAnyWords(
  words: readonly (string | undefined)[],
  { marks, areNames }: InputWords,
): boolean {
  const known = words.filter((word) => word !== undefined)
  const [name = ''] = words
  const program = programNamed(name)
  if (!program || program.alike || marks.some((mark) => name.includes(mark))) return false
  const level = levels(known, program).at(-1)!
  const { harmless, operands, onlyReads } = level.usage
  if (onlyReads || (harmless && operands?.rest === 'text')) return true
  return areNames && readsOperands(known, level, marks)
}

/** True if a command only reads further operands. */
function readsOperands(words: readonly string[], level: Level, marks: readonly string[]): boolean {
  const { usage } = level
  const { operands, input, still } = usage
  if (operands?.rest !== 'read' || operands.last || !(input === 'data' || still)) return false
  if (LIMITS.some((limit) => usage[limit] !== undefined)) return false
  const given = argumentsOf(words, level)
  if (hasOption(given, usage.writesWith, usage)) return false
  if (!operands.first || hasOption(given, operands.unless, usage)) return true
  // The first operand is not a file and must not come from the input.
  const first = given.find((argument) => argument.type === 'operand')?.value
  return first !== undefined && !marks.some((mark) => first.includes(mark))
}

/** Fields that depend on the operands themselves. */
const LIMITS = list(
  'operandReach operandsReach plainFirst plainOperand writesUnless wrapper commands copies moves',
) as readonly (keyof Usage)[]
