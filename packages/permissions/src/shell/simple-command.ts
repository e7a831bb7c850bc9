import type { FileSystemView } from '../decide/file-system.ts'
import type { Operation } from '../decide/operation.ts'
import { findWrapped, type Wrapped } from './wrapped.ts'
import { argumentsOf, levels, reachOf, type Level } from './level.ts'
import { operationsOnInputNames, printedNamesOf } from './input-names.ts'
import { anyOutcome, foldersAfterCd, staysIn, type CommandOutcome } from './outcome.ts'
import { quoted } from './pattern.ts'
import { programNamed } from './programs/index.ts'
import { entries, type Usage, type Wrapper } from './program.ts'
import { guessCommands } from './guess-commands.ts'
import { add, nested, type Scope } from './scope.ts'
import type { ShellCommand } from './script.ts'
import { argumentOperations } from './argument-operations.ts'
import type { WordValue } from './word.ts'

/** A simple command whose words have been read. */
export interface SimpleCommand {
  readonly text: string
  readonly words: readonly WordValue[]
  /** Doubts besides those about its words: assignments, redirections. */
  readonly doubts: readonly string[]
  /** Its input is part of the shell text. */
  readonly inlineInput?: boolean
}

const UNKNOWN: Usage = {}

/** Keywords. After a wrapper they are not program names. */
const NO_NAME =
  /=|^(?:[!{}]|if|then|elif|else|fi|for|do|done|while|until|case|esac|select|function|coproc|)$/

/** Adds a simple command, everything it runs, and the files it names. Returns where the shell is afterwards. */
export function addSimpleCommand(simple: SimpleCommand, scope: Scope): CommandOutcome {
  const words = simple.words.map((word) => word.value)
  const name = words[0]
  const program = name === undefined ? undefined : programNamed(name)
  const found = levels(words, program ?? UNKNOWN)
  const level = found.at(-1)!
  const { usage } = level
  const given = argumentsOf(words, level)
  const wrapper = usage.wrapper
  const runs = wrapper && findWrapped(words, level, wrapper)
  const single = wrapper?.clear && !runs?.texts.length ? runs?.commands[0] : undefined
  const clear =
    single &&
    !single.doubts.length &&
    simple.words.slice(0, single.at).every((word) => isPlain(word))
  const reach =
    name === undefined
      ? undefined
      : reachOf(single ? words.slice(0, single.at) : words, found, program !== undefined)
  const bare = wrapper?.clear && runs && !single && usage.bare
  const named = wrapper?.nameable ? runs?.commands[0]?.at : reach?.word
  const innerReach = runs && reachInside(runs, wrapper)
  const word = innerReach ? undefined : named
  const doubts = [
    ...simple.doubts,
    ...wordDoubts(simple, usage, level, given),
    ...(runs?.doubts ?? []),
  ]
  const addresses =
    usage.operands?.rest === 'address'
      ? given.flatMap((argument) => (argument.type === 'operand' ? [argument.at] : []))
      : []
  if (name !== undefined && NO_NAME.test(name)) doubts.push('its first word is not a program name')
  if (simple.inlineInput && usage.input !== 'data') doubts.push('input in the shell text itself')
  if (usage.tracks && addsRepository(given, scope))
    doubts.push('adds another repository, in which git then runs')
  const why = (reach && innerReach) ?? reach?.why ?? single?.doubts[0] ?? (bare || undefined)
  const command: ShellCommand = {
    text: simple.text,
    words,
    doubts,
    ...(why && { reach: why }),
    ...(why && word !== undefined && { reachWord: word }),
    ...(addresses.length > 1 && { addresses }),
    ...(clear && !why && { wraps: true }),
    ...((usage.idle || (wrapper?.clear && !runs)) && { idle: true }),
    ...((usage.opaque || name?.includes('/')) && { opaque: true }),
    ...(isElsewhere(found[0]!.usage, scope) && { elsewhere: true }),
    ...(scope.within && { within: scope.within }),
  }
  add(scope, command)
  if (name !== undefined) {
    const end = runs?.commands[0]?.at ?? words.length
    const own = given.filter((argument) => argument.at < end)
    for (const operation of argumentOperations(name, own, usage, scope.folders, {
      reaches: why !== undefined,
      piped: scope.piped === true,
      mark: words.indexOf('--', level.from),
      exists: (path) => exists(path, scope),
      folderOf: (at) => simple.words[at]?.folder,
    }))
      addOperation(scope, operation)
    if (usage.evaluates) guessEvaluated(words, scope)
  }
  if (usage.moves) return move(given, scope)
  if (!program && name !== undefined)
    guessSuffixes(words, 1, ['an unknown program that may run its arguments'], scope)
  const names = printedNamesOf(given, usage, scope)
  const outcome =
    wrapper && runs ? addWrapped(simple, command, runs, level, scope) : staysIn(scope.folders)
  return { ...outcome, ...(names && { names }) }
}

const exists = (path: string, { folders, fileSystem }: Scope): boolean =>
  folders.every((folder) =>
    path.startsWith('/')
      ? fileSystem.identify?.(path) !== undefined
      : folder !== undefined && fileSystem.identify?.(`${folder}/${path}`) !== undefined,
  )

/** Adds an operation, unless there are too many. */
export function addOperation({ found }: Scope, operation: Operation): void {
  if (found.operations.length < 1000) found.operations.push(operation)
  else found.doubts.add('uses more than 1000 files')
}

/** Doubts about words, except those that its program can ignore. */
function wordDoubts(
  { words }: SimpleCommand,
  usage: Usage,
  { from }: Level,
  given: ReturnType<typeof argumentsOf>,
): string[] {
  const values = new Set(
    given.flatMap((argument) =>
      argument.type === 'option' &&
      entries(usage.texts).some(({ name }) => name === argument.name) &&
      argument.valueAt !== argument.at
        ? [argument.valueAt]
        : [],
    ),
  )
  return words.flatMap((word, at) => {
    const minds = at < from || !(usage.harmless || (word.whole && values.has(at)))
    return [...word.doubts, ...(minds ? word.loose : [])]
  })
}

/** The folder that the text starts in counts, too: an earlier call may have moved there. */
const isElsewhere = (usage: Usage, { folders, fileSystem }: Scope): boolean =>
  usage.readsFolderSettings === true &&
  (folders.some((folder) => folder !== fileSystem.cwd) ||
    (fileSystem.roots.length > 0 && !isRoot(fileSystem.cwd, fileSystem)))

function isRoot(folder: string, fileSystem: FileSystemView): boolean {
  const { roots } = fileSystem
  if (roots.includes(folder)) return true
  const real = fileSystem.follow(folder)?.at(-1)
  return real !== undefined && roots.some((root) => fileSystem.follow(root)?.at(-1) === real)
}

/** Whether git is told to track a repository in its folder, in which it then runs with the settings there. */
function addsRepository(
  given: ReturnType<typeof argumentsOf>,
  { folders, fileSystem }: Scope,
): boolean {
  const named = given.flatMap((argument) => (argument.type === 'operand' ? [argument.value] : []))
  // A pattern may match anything.
  const paths = named.map((path) => (path === undefined || /[*?[\\:]/.test(path) ? '.' : path))
  return (paths.length > 0 ? paths : ['.']).some((path) =>
    foldersAfterCd(folders, path).some(
      (folder) => folder !== undefined && holdsRepository(folder, fileSystem),
    ),
  )
}

function holdsRepository(folder: string, fileSystem: FileSystemView): boolean {
  if (!fileSystem.identify?.(folder)?.isFolder) return false
  if (fileSystem.identify(`${folder}/.git`) && !isRoot(folder, fileSystem)) return true
  return fileSystem.entries?.(folder)?.some(({ path }) => /\/\.git$/i.test(path)) ?? false
}

const isPlain = ({ value, doubts, loose }: WordValue): boolean =>
  value !== undefined && !doubts.length && !loose.length

/** Why a wrapped command does more than its program's name says, so that a rule must name all of it. */
function reachInside(
  { commands, texts }: Wrapped,
  wrapper: Wrapper | undefined,
): string | undefined {
  if (texts.length > 0) return 'runs code in its arguments'
  for (const { words } of commands) {
    const [name] = words
    if (name === undefined) return 'runs a command that is unknown until it runs'
    const known = words.filter((word) => word !== undefined)
    const program = programNamed(name)
    const found = levels(known, program ?? UNKNOWN)
    const reach = reachOf(known, found, program !== undefined)
    if (reach) return reach.why
    // Words from the input may be options, unless `--` precedes them.
    if (wrapper?.adds && known.at(-1) !== '--' && program && !found.at(-1)!.usage.onlyReads)
      return `passes words to ${name} that may be options (add \`--\` before them)`
  }
  return undefined
}

/** Adds what a wrapper runs. If that changes the folder, the folder of the shell may have changed. */
function addWrapped(
  simple: SimpleCommand,
  command: ShellCommand,
  runs: Wrapped,
  level: Level,
  scope: Scope,
): CommandOutcome {
  const { wrapper } = level.usage
  let outcome = staysIn(scope.folders)
  const inner = nested(scope, command.wraps ? {} : { within: command })
  if (!inner) return outcome
  for (const part of runs.commands) {
    const words = part.words.map((value): WordValue => ({
      value,
      doubts: value === undefined ? ['a word that is unknown until it runs'] : [],
      loose: [],
      whole: true,
    }))
    if (wrapper?.clear)
      words.forEach((word, at) => (words[at] = simple.words[part.at + at] ?? word))
    const doubts = [...(wrapper?.clear ? simple.doubts : []), ...part.doubts]
    // A text that leaves out what is doubtful would be misleading.
    const inlineInput = wrapper?.clear && simple.inlineInput
    const isComplete = !doubts.length && !inlineInput
    const text = isComplete
      ? words.map(({ value }) => (value === undefined ? '…' : quoted(value))).join(' ')
      : simple.text
    const done = addSimpleCommand(
      { text, words, doubts, ...(inlineInput && { inlineInput }) },
      inner,
    )
    // It may change the folder of this shell: `command cd x` does, `nice cd x` doesn't.
    outcome = anyOutcome(outcome, done)
    if (wrapper?.clear && done.names) outcome = { ...outcome, names: done.names }
    const onNames = operationsOnInputNames(command.words, part, level, scope)
    const alone = wrapper?.adds ? operationsWithoutInput(part.words, scope) : []
    for (const operation of [...onNames, ...alone]) addOperation(scope, operation)
  }
  for (const text of runs.texts) {
    const folders = wrapper?.here ? [...scope.folders, undefined] : inner.folders
    const done = inner.read(text, { ...inner, folders })
    if (wrapper?.here) outcome = anyOutcome(outcome, done)
  }
  if (wrapper?.input && scope.input !== undefined) inner.read(scope.input, inner)
  for (const word of simple.words) if (word.prints !== undefined) inner.read(word.prints, inner)
  // If a table is wrong about an option, the command starts later; but not if the word names a program.
  const [first] = runs.commands
  const precise = wrapper?.clear || wrapper?.nameable || wrapper?.sections
  const sure = precise && first?.words[0] !== undefined && programNamed(first.words[0])
  guessSuffixes(sure ? command.words.slice(0, first.at) : command.words, level.from, [], scope)
  for (const word of command.words) if (word && /\s/.test(word)) guessIn(word, scope)
  return outcome
}

/** What a command does without words from its input: `xargs grep -r x` then searches the whole folder. */
function operationsWithoutInput([name, ...rest]: ShellCommand['words'], scope: Scope): Operation[] {
  if (name === undefined) return []
  const words = [name, ...rest.filter((word) => word !== undefined)]
  const level = levels(words, programNamed(name) ?? UNKNOWN).at(-1)!
  return argumentOperations(name, argumentsOf(words, level), level.usage, scope.folders, {
    reaches: false,
    piped: false,
    mark: words.indexOf('--', level.from),
    exists: (path) => exists(path, scope),
    folderOf: () => undefined,
  })
}

/** Adds the commands that start at each word, for deny rules. */
function guessSuffixes(
  words: ShellCommand['words'],
  from: number,
  doubts: readonly string[],
  scope: Scope,
): void {
  for (let at = from; at < Math.min(words.length, from + 16); at++) {
    const suffix = words.slice(at, at + 24)
    if (suffix[0] === undefined || /^[-+]/.test(suffix[0])) continue
    const text = suffix.map((word) => word ?? '…').join(' ')
    add(scope, { text, words: suffix, doubts, guess: true })
  }
}

/** Adds the commands in words that are evaluated: `a[$(…)]`. */
function guessEvaluated(words: ShellCommand['words'], scope: Scope): void {
  for (const word of words) if (word && /\$\(|`/.test(word)) guessIn(word, scope)
}

/** Adds all commands that a word may contain. */
function guessIn(word: string, scope: Scope): void {
  for (const words of guessCommands(word))
    add(scope, { text: words.join(' '), words, doubts: [], guess: true })
}

function move(given: ReturnType<typeof argumentsOf>, scope: Scope): CommandOutcome {
  const target = given.find((argument) => argument.type === 'operand')
  const path = target ? (target.value === '-' ? undefined : target.value) : scope.fileSystem.home
  if (!target)
    for (const cwd of scope.folders) addOperation(scope, { kind: 'list', path, cwd, because: 'cd' })
  if (path === undefined)
    scope.found.doubts.add('changes to a folder that is unknown until it runs')
  return { success: foldersAfterCd(scope.folders, path), failure: scope.folders }
}
