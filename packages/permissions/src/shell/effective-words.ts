import { readArguments } from './option.ts'
import { foldersAfterCd, type PossibleFolders } from './outcome.ts'
import { entries, type Program } from './program.ts'
import { findsOwnSettings } from './same-repository.ts'
import { staleIn, type Scope } from './scope.ts'
import type { WordValue } from './word.ts'

/**
 * The words of a command without those that only select the folder, or the version, of its program.
 */
export interface EffectiveWords {
  readonly words: readonly WordValue[]
  /** The folders that the program runs in. */
  readonly folders: PossibleFolders
}

/**
 * Drops words that are irrelevant to the rules for a command: `git -C sub status` is `git status`
 * in another folder of the repository, `cargo +nightly fmt` is `cargo fmt`.
 */
export function effectiveWords(
  words: readonly WordValue[],
  program: Program | undefined,
  scope: Scope,
): EffectiveWords {
  const { folders, fileSystem } = scope
  if (!program || (!program.runsIn && !program.partOf && !program.selects))
    return { words, folders }
  const isSelection = program.selects?.test(words[1]?.value ?? '') && isPlain(words[1]!)
  const own = isSelection ? [words[0]!, ...words.slice(2)] : words
  const options = [...entries(program.runsIn), ...entries(program.partOf)]
  if (!own.some(({ value }) => options.some(({ name }) => value?.startsWith(name))))
    return { words: own, folders }
  const values = own.map(({ value }) => value)
  const given = readArguments(values, program, { early: program.commands !== undefined })
  const left = new Set<number>()
  let there = folders
  for (const argument of given) {
    if (argument.type !== 'option' || argument.valueAt === undefined) continue
    if (!options.some(({ name }) => name === argument.name)) continue
    // A value that is attached to a letter may be something else: `-Cx`.
    if (argument.valueAt === argument.at && !argument.name.startsWith('--')) continue
    if (!isPlain(own[argument.valueAt]!)) return { words: own, folders }
    // After a link, `..` leads elsewhere than it seems to.
    if (argument.value?.split('/').includes('..')) return { words: own, folders }
    if (entries(program.runsIn).some(({ name }) => name === argument.name))
      there = foldersAfterCd(there, argument.value)
    left.add(argument.at).add(argument.valueAt)
  }
  const { obeys = 'folder' } = program
  const stale = staleIn(scope)
  const isOwn = there.every((folder) => findsOwnSettings(folder, obeys, fileSystem, stale))
  if (left.size === 0 || !isOwn) return { words: own, folders }
  return { words: own.filter((_, at) => !left.has(at)), folders: there }
}

const isPlain = ({ value, doubts, loose }: WordValue): boolean =>
  value !== undefined && !doubts.length && !loose.length
