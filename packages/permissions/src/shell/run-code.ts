import type { SearchableFileSystem } from '../decide/look-up.ts'
import { levels, reachesOf } from './level.ts'
import { list, type Wrapper } from './program.ts'
import { isSelfContained, programNamed } from './programs/index.ts'
import type { ShellCommand } from './script.ts'
import { endsSection, findWrapped } from './wrapped.ts'

/**
 * The code that a command may run besides its own text: `any` code in its folder; or only what is `known`, the hooks and settings of
 * a repository. Undefined: none. A command counts as running any code unless the tables say that it runs none.
 */
type CodeKind = 'any' | 'known' | undefined

/** The code that a command may run in one of these folders. The commands in a wrapper are judged as commands of their own. */
export function codeRunBy(
  { words, doubts, reach, guess, wraps, idle }: ShellCommand,
  folders: readonly string[],
  fileSystem: SearchableFileSystem,
): CodeKind {
  if (guess || wraps || (idle && doubts.length === 0 && reach === undefined)) return undefined
  const program = words[0] === undefined ? undefined : programNamed(words[0])
  // A variable such as LD_PRELOAD makes any program load code.
  if (!program || !isSelfContained(program) || doubts.some((doubt) => doubt.startsWith('sets ')))
    return 'any'
  const found = levels(words, program)
  const level = found.at(-1)!
  const { usage } = level
  const { wrapper } = usage
  const isPlainText = doubts.every((doubt) => UNKNOWN_WORD.test(doubt))
  if (wrapper && (wrapper.clear || wrapper.nameable)) {
    const runs = findWrapped(words, level, wrapper)
    const isListed =
      !runs || (runs.commands.length > 0 && runs.texts.length + runs.doubts.length === 0)
    return isListed && isPlainText ? undefined : 'any'
  }
  if (usage.harmless || usage.onlyReads || usage.runsNothing) {
    if (!isPlainText) return 'any'
  } else if (doubts.length > 0) return 'any'
  else if (reach !== undefined) {
    const own = withoutSections(words, wrapper)
    const outer = { ...level, to: own.length }
    const reaches = reachesOf(own, [...found.slice(0, -1), outer], true)
    if (!reaches.every(({ why }) => isInert(why))) return 'any'
  }
  if (program.obeys !== 'repository') return undefined
  const isPlain = (folder: string): boolean =>
    fileSystem.repositoryOf?.(folder)?.isPlain?.() === true &&
    // These may be names of files, or not.
    !fileSystem.obeyedByGit?.(folder).some((path) => fileSystem.identify?.(path))
  return usage.still || (folders.length > 0 && folders.every(isPlain)) ? 'known' : 'any'
}

/** Doubts that only say that a word is unknown. Others, such as arithmetic, may evaluate code. */
const UNKNOWN_WORD =
  /^(?:(?:the (?:variable|expansion|value of) )?\$(?:[\w?#@*]+|\{#?\w+\})|braces|a (?:process )?substitution|a tilde|a (?:pattern|redirection|word that is unknown) .*|words .*|text in \$.*|input in the shell text itself)$/s

/** The words of `find` without the commands that it runs. */
function withoutSections(
  words: ShellCommand['words'],
  wrapper: Wrapper | undefined,
): ShellCommand['words'] {
  const marks = list(wrapper?.sections)
  if (marks.length === 0) return words
  let isInside = false
  return words.filter((word, at) => {
    isInside ||= word !== undefined && marks.some((mark) => mark === word.split('=', 1)[0])
    const isLeftOut = isInside
    if (isInside && endsSection(words, at)) isInside = false
    return !isLeftOut
  })
}

/** Whether a reason to ask about a program has nothing to do with running code. The name of an option may precede it. */
const isInert = (why: string): boolean =>
  INERT.has(why) || INERT.has(why.slice(why.indexOf(' ') + 1))

/** Reasons in the tables with which a program runs no code. */
export const INERT: ReadonlySet<string> = new Set([
  ...['writes to another file', 'writes other files', 'writes a file', 'changes files in place'],
  ...['moves files elsewhere', 'removes what it finds', 'removes files', 'removes folders'],
  ...['changes permissions or ownership', 'follows symbolic links', 'adds ignored files'],
  ...['reads the files listed in another file', 'reads file names from elsewhere'],
  ...['reads another file into a variable', 'reads files outside the repository'],
  ...['may read files outside the repository', 'searches outside the repository'],
  ...['searches the whole folder', 'compares whole folders through symbolic links'],
  ...['may show secrets in environment variables', 'shows environment variables'],
  ...['sends data', 'reads a file and sends it', 'sends its arguments to another machine'],
  ...['sends a signal', 'changes limits of the shell'],
])
