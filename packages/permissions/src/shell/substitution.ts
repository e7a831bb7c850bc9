import type { ParsedScript, Word } from 'unbash'
import { argumentsOf, type Level, levels, isCase } from './reach.ts'
import { programNamed } from './programs/index.ts'
import { only } from './printed.ts'
import type { WordContext, WordValue } from './word.ts'
import { readWord } from './word.ts'

/**
 * The value of a word that is a substitution of a command which prints a hash or nothing, such as
 * `$(git merge-base HEAD main)`: never an option, a file name or several words. It is judged like
 * any hash. Undefined for other words.
 */
export function printedHash(word: Word, around: WordContext): WordValue | undefined {
  const [part, another] = word.parts ?? []
  const isQuoted = part?.type === 'DoubleQuoted' && part.parts.length === 1
  const inner = isQuoted ? part.parts[0] : part
  if (another || inner?.type !== 'CommandExpansion' || !inner.script) return undefined
  const command = onlyCommand(inner.script, around)
  const printsHash = command?.level.usage.printsHash
  if (!printsHash) return undefined
  const { words, level } = command
  if (!isCase(argumentsOf(words, level), printsHash, level.usage)) return undefined
  return {
    value: ANY_HASH,
    doubts: [],
    loose: [],
    whole: true,
    optional: !isQuoted || undefined,
  }
}

/** The only command of a script with all its words, if they and its program are known. */
function onlyCommand(
  script: ParsedScript,
  around: WordContext,
): { readonly words: readonly string[]; readonly level: Level } | undefined {
  const command = only(script)
  if (!command?.name || command.prefix.length > 0 || command.redirects.length > 0) return undefined
  const words: string[] = []
  for (const each of [command.name, ...command.args]) {
    const read = each.type === 'Word' ? readWord(each, { ...around, script: () => {} }) : undefined
    if (read?.value === undefined || read.doubts.length > 0 || read.loose.length > 0)
      return undefined
    words.push(read.value)
  }
  const program = programNamed(words[0]!)
  return program && { words, level: levels(words, program).at(-1)! }
}

/** A placeholder for any hash. No object has this hash. */
const ANY_HASH = '0'.repeat(40)
