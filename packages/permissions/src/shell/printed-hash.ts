import type { Word } from 'unbash'
import { argumentsOf, levels } from './level.ts'
import { programNamed } from './programs/index.ts'
import { only } from './printed.ts'
import { isCase } from './reach.ts'
import type { WordContext, WordValue } from './word.ts'
import { readWord } from './word.ts'

/**
 * A word that is a substitution of a command which prints a hash or nothing, such as `$(git merge-base HEAD main)`: no
 * option, no file name, and never several words. It is judged as any hash would be. Undefined for other words.
 */
export function printedHash(word: Word, around: WordContext): WordValue | undefined {
  const [part, another] = word.parts ?? []
  const isQuoted = part?.type === 'DoubleQuoted' && part.parts.length === 1
  const inner = isQuoted ? part.parts[0] : part
  if (another || inner?.type !== 'CommandExpansion' || !inner.script) return undefined
  const command = only(inner.script)
  if (!command?.name || command.prefix.length > 0 || command.redirects.length > 0) return undefined
  const read = [command.name, ...command.args].map((each) =>
    each.type === 'Word' ? readWord(each, { ...around, script: () => {} }) : undefined,
  )
  const words = read.map((each) =>
    each?.doubts.length || each?.loose.length ? undefined : each?.value,
  )
  const program = programNamed(words[0] ?? '')
  if (!program || words.includes(undefined)) return undefined
  const level = levels(words, program).at(-1)!
  const { printsHash } = level.usage
  if (!printsHash || !isCase(argumentsOf(words, level), printsHash, level.usage)) return undefined
  return {
    value: ANY_HASH,
    doubts: [],
    loose: [],
    whole: true,
    ...(!isQuoted && { optional: true }),
  }
}

/** Stands for any hash. No object has it. */
const ANY_HASH = '0'.repeat(40)
