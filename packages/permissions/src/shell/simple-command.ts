import type { Operation } from '../decide/operation.ts'
import { hasOption, argumentsOf, levels, reachOf, type Level } from './reach.ts'
import { findWrapped, type Wrapped, endsSection } from './wrapped.ts'
import { addsKnownNames, operationsOnInputNames, printedNamesOf } from './input-names.ts'
import { addsPlainly, marksOf, takesAnyWords, type InputWords } from './input-words.ts'
import {
  anyOf,
  anyOutcome,
  foldersAfterCd,
  staysIn,
  type CommandOutcome,
  type PossibleFolders,
} from './outcome.ts'
import { quoted } from './pattern.ts'
import { loadsOwnModule, topsOf, trackedBy } from './tracking.ts'
import { readArguments } from './option.ts'
import { programNamed } from './programs/index.ts'
import { entries, type Program, type Usage, list } from './program.ts'
import {
  guessCommands,
  add,
  addChange,
  assign,
  mayRunInTracked,
  nested,
  staleIn,
  type Scope,
} from './scope.ts'
import type { ShellCommand } from './script.ts'
import { isLinkItself, realPath, isWithin } from '../path/segments.ts'
import { argumentOperations, type ArgumentContext } from './argument-operations.ts'
import { effectiveWords } from './effective-words.ts'
import { findsOwnSettings } from './same-repository.ts'
import type { WordValue } from './word.ts'

/** A simple command after its words have been read. */
export interface SimpleCommand {
  readonly text: string
  readonly shown?: string
  readonly words: readonly WordValue[]
  /** Doubts that do not concern its words: assignments, redirections. */
  readonly doubts: readonly string[]
  /** True if its input is part of the shell text. */
  readonly inlineInput?: boolean
  /**
   * True if its unknown words are harmless or are names of files, which are judged. None is a
   * relevant option.
   */
  readonly named?: boolean
}

const UNKNOWN: Usage = {}
const GNU = 'has an option that means something else on macOS'

/** Keywords, which are not program names after a wrapper. */
const NO_NAME =
  /=|^(?:[!{}]|if|then|elif|else|fi|for|do|done|while|until|case|esac|select|function|coproc|)$/

/**
 * Adds a simple command, every command it runs, and the files in its words. Returns the shell's
 * folder afterwards.
 */
export function addSimpleCommand(given: SimpleCommand, around: Scope): CommandOutcome {
  const name = given.words[0]?.value
  const program = name === undefined ? undefined : programNamed(name)
  const { words, folders } = effectiveWords(given.words, program, around)
  if (words === given.words) return addEffective(given, program, around)
  const written = given.words.map((word) => word.value)
  const outcome = addEffective({ ...given, words, written }, program, { ...around, folders })
  // Programs don't change the shell's folder.
  return { ...outcome, ...staysIn(around.folders) }
}

function addEffective(
  simple: SimpleCommand & { readonly written?: ShellCommand['words'] },
  program: Program | undefined,
  scope: Scope,
): CommandOutcome {
  const words = simple.words.map((word) => word.value)
  const name = words[0]
  const found = levels(words, program ?? UNKNOWN)
  const level = found.at(-1)!
  const { usage } = level
  const given = argumentsOf(words, level)
  const wrapper = usage.wrapper
  const runs = wrapper && findWrapped(words, level, wrapper)
  const apart = wrapper?.sections && runs ? sectionsJudgedApart(words, level, runs) : undefined
  const single = wrapper?.clear && !runs?.texts.length ? runs?.commands[0] : undefined
  const clear =
    single &&
    !single.doubts.length &&
    simple.words.slice(0, single.at).every((word) => isPlain(word))
  const isKnown = program !== undefined
  const isListed = isKnown && !program.alike
  const own = single ? words.slice(0, single.at) : words
  const whole = name === undefined ? undefined : reachOf(own, found, isKnown)
  const reach = apart
    ? reachOf(apart.words, [{ ...level, to: apart.words.length }], isKnown)
    : whole
  const bare = wrapper?.clear && runs && !single && usage.bare
  const named = wrapper?.nameable ? runs?.commands[0]?.at : reach?.word
  const input = wrapper?.adds ? inputWordsOf(words, runs, level, scope) : undefined
  const innerReach = runs && !apart ? reachInside(runs, input) : undefined
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
  if (simple.inlineInput && !takesData(usage, runs)) doubts.push('input in the shell text itself')
  // `xargs` has no effect except running a command, if any words may be added to that command.
  const addsOnly =
    isListed &&
    input?.isPlain === true &&
    !innerReach &&
    runs?.commands.length === 1 &&
    runs.commands.every((part) => takesAnyWords(part.words, input)) &&
    // A rule for the inner command doesn't cover doubtful words or variables set for it.
    doubts.length === 0 &&
    simple.words.every((word) => isPlain(word))
  const isGit = found[0]!.usage.obeys === 'repository'
  const checksOut = isGit && fillsFolders(given, usage) && !usage.restores
  const tracking = trackedBy(given, usage, scope)
  doubts.push(...tracking.doubts)
  const ownModule = loadsOwnModule(runs?.commands[0]?.words[0], given, usage, scope)
  if (ownModule !== undefined) doubts.push(ownModule)
  const otherwise =
    scope.fileSystem.platform === 'darwin' && hasOption(given, usage.gnu, usage) ? GNU : undefined
  const why =
    otherwise ?? (reach && innerReach) ?? reach?.why ?? single?.doubts[0] ?? (bare || undefined)
  const command: ShellCommand = {
    text: simple.text,
    shown: simple.shown,
    words,
    doubts,
    ...(why && { reach: why }),
    reachWord: why && word !== undefined ? word : undefined,
    addresses: addresses.length > 1 ? addresses : undefined,
    written: simple.written,
    ...(wrapper?.nameable && runs && shorterWords(words, runs, level)),
    wraps: (((clear && !why) || addsOnly) && doubts.length === 0) || undefined,
    idle: usage.idle || (wrapper?.clear && !runs) ? true : undefined,
    opaque: usage.opaque || name?.includes('/') ? true : undefined,
    elsewhere:
      isElsewhere(found[0]!.usage, scope) ||
      (isGit && mayRunInTracked(scope, usage, checksOut)) ||
      undefined,
    fed: (scope.fed && !takesData(usage, runs)) || undefined,
    within: scope.within,
  }
  add(scope, command)
  if (name === undefined || runs?.commands.some((inner) => inner.words[0] === undefined))
    guessNames(simple, scope)
  for (const folder of scope.folders) scope.found.visited.add(folder)
  // A wrapper's command is judged separately.
  const runsOthers = runs && runs.commands.length > 0 && runs.texts.length === 0
  const passesOn =
    isListed && runsOthers && (wrapper?.clear || wrapper?.nameable || apart !== undefined)
  const sure = simple.named ? words.filter((each) => each !== undefined) : words
  if (!passesOn && !isStill(sure, program, usage, why))
    addChange(scope, {
      fills: fillsFolders(given, usage) || !isListed || (why !== undefined && !usage.opaque),
      ...(usage.tracks &&
        (usage.tracks !== 'adds' || tracking.addsOther !== false) && { tracks: usage.tracks }),
      ...(checksOut && { tracks: 'checks-out' }),
    })
  // A rule may also contain the command run by `find`: `Bash(find . -exec grep:*)`.
  const around: ShellCommand =
    apart && whole
      ? {
          ...command,
          reach: whole.why,
          ...(whole.word !== undefined && { reachWord: whole.word }),
        }
      : command
  if (name !== undefined) {
    const end = runs?.commands[0]?.at ?? words.length
    const before = given.filter((argument) => argument.at < end)
    const context: ArgumentContext = {
      past: usage.past ?? found[0]!.usage.past,
      reaches: why !== undefined,
      piped: scope.piped,
      mark: words.indexOf('--', level.from),
      isStale: staleIn(scope) !== undefined,
      exists: (path) => exists(path, scope),
      isLink: (path) => isLink(path, scope),
      isFolder: (path) => isFolder(path, scope),
      tops: isGit ? topsOf(scope) : [],
      roots: scope.fileSystem.roots,
      folderOf: (at) => simple.words[at]?.folder,
    }
    const operations = argumentOperations(name, before, usage, scope.folders, context)
    // A program with a similar name may use its words differently.
    if (program?.alike) {
      const mentioned = readArguments(words, UNKNOWN)
      operations.push(...argumentOperations(name, mentioned, UNKNOWN, scope.folders, context))
    }
    for (const operation of operations) addOperation(scope, operation)
    for (const path of movedBy(operations)) scope.found.moved.add(path)
    if (usage.evaluates) guessEvaluated(words, scope)
    if (usage.sets && !why) setVariables(words.slice(1), scope)
  }
  if (usage.moves) return move(given, usage, scope)
  if (!isListed && name !== undefined)
    guessSuffixes(words, 1, ['an unknown program that may run its arguments'], scope)
  const names = printedNamesOf(given, usage, scope)
  const outcome =
    wrapper && runs
      ? addWrapped(
          simple,
          around,
          apart ? { ...runs, commands: apart.commands } : addsOnly ? withNames(runs) : runs,
          level,
          scope,
        )
      : staysIn(scope.folders)
  return { ...outcome, ...(names && { names }) }
}

/** True if a command's input is only data to it, or to the module that it runs. */
const takesData = ({ input, wrapper }: Usage, runs: Wrapped | undefined): boolean => {
  const module = wrapper?.module ? runs?.commands[0]?.words[0] : undefined
  return input === 'data' || (module !== undefined && programNamed(module)?.input === 'data')
}

/** True if a command changes no files except those in its operations. */
function isStill(
  words: ShellCommand['words'],
  program: Program | undefined,
  usage: Usage,
  why: string | undefined,
): boolean {
  if (!program || why !== undefined) return false
  if (usage.onlyReads || usage.harmless) return true
  // An unknown word may be any option.
  if (words.includes(undefined) && !usage.idle) return false
  return usage.still === true || usage.idle === true || usage.input === 'data'
}

/** True if a command may put any files and links into folders. */
const fillsFolders = (given: ReturnType<typeof argumentsOf>, usage: Usage): boolean =>
  usage.fills === true &&
  !(
    usage.fillsUnless !== undefined &&
    given.every(
      (argument) =>
        argument.type === 'option' &&
        entries(usage.fillsUnless).some(({ name }) => name === argument.name),
    )
  )

/**
 * True if a condition is met for a path in each folder that a command may run in, and no other
 * command may change that.
 */
const isSure = (path: string, scope: Scope, holds: (full: string) => boolean): boolean =>
  !staleIn(scope) &&
  scope.folders.every((folder) => {
    const full = path.startsWith('/') ? path : folder !== undefined && `${folder}/${path}`
    return full !== false && holds(full)
  })

const exists = (path: string, scope: Scope): boolean =>
  isSure(path, scope, (full) => scope.fileSystem.identify?.(full) !== undefined)

const isFolder = (path: string, scope: Scope): boolean =>
  isSure(path, scope, (full) => scope.fileSystem.identify?.(full)?.isFolder === true)

const isLink = (path: string, scope: Scope): boolean =>
  isSure(path, scope, (full) => isLinkItself(full, scope.fileSystem))

/** The paths that operations move elsewhere. */
const movedBy = (operations: readonly Operation[]): PossibleFolders =>
  operations.flatMap((operation) =>
    operation.kind === 'write' && operation.moves
      ? foldersAfterCd([operation.cwd], operation.path)
      : [],
  )

/** Adds an operation, unless there are too many. */
export function addOperation(scope: Scope, operation: Operation): void {
  const { found } = scope
  const stale = staleIn(scope)
  if (operation.kind === 'write') addChange(scope)
  if (operation.kind !== 'fetch') found.visited.add(operation.cwd)
  if (found.operations.length < 1000)
    found.operations.push(
      operation.kind === 'fetch' || !stale || operation.anywhere || operation.possible
        ? operation
        : { ...operation, stale },
    )
  else found.doubts.add('uses more than 1000 files')
}

/** Doubts about words, except those that are irrelevant to the program. */
function wordDoubts(
  { words }: SimpleCommand,
  usage: Usage,
  { from }: Level,
  given: ReturnType<typeof argumentsOf>,
): string[] {
  const values = given.flatMap((argument) =>
    argument.type === 'option' &&
    entries(usage.texts).some(({ name }) => name === argument.name) &&
    argument.valueAt !== argument.at
      ? [argument.valueAt]
      : [],
  )
  const pipes = words.some(({ pipe }) => pipe) ? readPipes(given, usage) : []
  const data = usage.formats ? dataWords(words, given) : []
  const doubts: string[] = []
  words.forEach((word, at) => {
    doubts.push(...word.doubts)
    if (word.loose.length === 0) return
    const isPipe = word.pipe && pipes.includes(at)
    // A list of unknown files may include files outside.
    const isHarmless = usage.harmless && (!word.anything || usage.operands?.rest === 'text')
    const isText = word.whole && (values.includes(at) || data.includes(at))
    const minds = at < from || !(isHarmless || isPipe || isText)
    if (minds) doubts.push(...word.loose)
  })
  return doubts
}

/** The operands after the first, if the first is known. */
function dataWords(
  words: SimpleCommand['words'],
  given: ReturnType<typeof argumentsOf>,
): readonly number[] {
  const [first, ...rest] = given.flatMap((each) => (each.type === 'operand' ? [each.at] : []))
  return first !== undefined && words[first]?.value !== undefined ? rest : []
}

/**
 * The operands that a program reads like a file, so that they may be pipes, whose output is only
 * data.
 */
function readPipes(given: ReturnType<typeof argumentsOf>, usage: Usage): readonly number[] {
  const { input, operands } = usage
  if (input !== 'data' || operands?.rest !== 'read' || operands.last) return []
  return given
    .flatMap((argument) => (argument.type === 'operand' ? [argument.at] : []))
    .slice(operands.first ? 1 : 0)
}

/** True if a program that may apply files in its folder runs outside the workspace. */
const isElsewhere = (usage: Usage, scope: Scope): boolean => {
  const { folders, fileSystem } = scope
  const { obeys } = usage
  const stale = staleIn(scope)
  if (obeys) return !folders.every((each) => findsOwnSettings(each, obeys, fileSystem, stale))
  if (usage.input === 'data' || usage.idle || usage.harmless) return false
  const known = [fileSystem.cwd, ...fileSystem.roots]
  return folders.some(
    (folder) => folder !== undefined && !known.some((root) => isWithin(folder, root)),
  )
}

/**
 * The words of `xargs -0 grep` in the form that a rule may have: `xargs grep`. Only without options
 * that affect the added words.
 */
function shorterWords(
  words: ShellCommand['words'],
  { commands: [inner] }: Wrapped,
  level: Level,
): Pick<ShellCommand, 'shorter'> {
  if (!inner || inner.at === 1) return {}
  const own = argumentsOf(words.slice(0, inner.at), level)
  return own.every(({ type }) => type === 'option') && addsPlainly(own, level.usage)
    ? { shorter: [words[0], ...words.slice(inner.at)] }
    : {}
}

/**
 * The words that a wrapper adds to its command, as far as known, and whether the wrapper's own
 * options are plain.
 */
function inputWordsOf(
  words: ShellCommand['words'],
  runs: Wrapped | undefined,
  level: Level,
  scope: Scope,
): InputWords & { readonly isPlain: boolean } {
  const [part] = runs?.commands ?? []
  const own = argumentsOf(words.slice(0, part?.at), level)
  return {
    marks: marksOf(own, level.usage),
    areNames: part !== undefined && addsKnownNames(words, part, level, scope),
    isPlain: own.every(({ type }) => type === 'option') && addsPlainly(own, level.usage),
  }
}

/** Removes doubts about a wrapped command's unknown words, which are harmless here. */
const withNames = (runs: Wrapped): Wrapped => ({
  ...runs,
  commands: runs.commands.map((part) => ({ ...part, doubts: [], named: true })),
})

const isPlain = ({ value, doubts, loose }: WordValue): boolean =>
  value !== undefined && !doubts.length && !loose.length

/**
 * The reason why a wrapped command does more than its program's name suggests, so that a rule must
 * contain all of it.
 */
function reachInside(
  { commands, texts }: Wrapped,
  input: InputWords | undefined,
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
    if (input && known.at(-1) !== '--' && program && !takesAnyWords(words, input))
      return `passes words to ${name} that may be options (add \`--\` before them)`
  }
  return undefined
}

/**
 * Adds the commands that a wrapper runs. If one changes folders, the shell's folder may have
 * changed.
 */
function addWrapped(
  simple: SimpleCommand,
  command: ShellCommand,
  runs: Wrapped,
  level: Level,
  scope: Scope,
): CommandOutcome {
  const { wrapper } = level.usage
  let outcome = staysIn(scope.folders)
  // A rule may also contain the command run by `xargs`: `Bash(xargs grep:*)`.
  const inner = nested(scope, command.wraps && !wrapper?.adds ? {} : { within: command })
  if (!inner) return outcome
  for (const part of runs.commands) {
    const words = part.words.map((value): WordValue => ({
      value,
      doubts: value === undefined && !part.named ? ['a word that is unknown until it runs'] : [],
      loose: [],
      whole: true,
    }))
    if (wrapper?.clear)
      words.forEach((word, at) => (words[at] = simple.words[part.at + at] ?? word))
    const doubts = [...(wrapper?.clear ? simple.doubts : []), ...part.doubts]
    // The printed command would be misleading without its doubtful parts.
    const inlineInput = wrapper?.clear && simple.inlineInput
    const isComplete = !doubts.length && !inlineInput
    const text = isComplete
      ? words.map(({ value }) => (value === undefined ? '…' : quoted(value))).join(' ')
      : simple.text
    const done = addSimpleCommand(
      {
        text,
        words,
        doubts,
        inlineInput: inlineInput || undefined,
        named: part.named ? true : undefined,
      },
      inner,
    )
    // The command may change this shell's folder: `command cd x` does, `nice cd x` doesn't.
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
  // If a table is wrong about an option, the command starts later, unless the word is a known
  // program.
  const [first] = runs.commands
  const precise = wrapper?.clear || wrapper?.nameable || wrapper?.sections
  const sure = precise && first?.words[0] !== undefined && programNamed(first.words[0])
  guessSuffixes(sure ? command.words.slice(0, first.at) : command.words, level.from, [], scope)
  for (const word of command.words) if (word && /\s/.test(word)) guessIn(word, scope)
  return outcome
}

/**
 * Records that variables now have an unknown value. The value of a loop variable is known in each
 * iteration, so it must not change.
 */
function setVariables(names: ShellCommand['words'], scope: Scope): void {
  for (const name of names) {
    if (name === undefined || name.startsWith('-')) continue
    assign(scope, name)
    if (scope.variables.has(name)) scope.found.doubts.add(`sets ${name}`)
  }
}

/**
 * The operations of a command without words from its input: `xargs grep -r x` then searches the
 * whole folder.
 */
function operationsWithoutInput([name, ...rest]: ShellCommand['words'], scope: Scope): Operation[] {
  if (name === undefined) return []
  const words = [name, ...rest.filter((word) => word !== undefined)]
  const level = levels(words, programNamed(name) ?? UNKNOWN).at(-1)!
  return argumentOperations(name, argumentsOf(words, level), level.usage, scope.folders, {
    past: 'always',
    reaches: false,
    piped: false,
    isStale: true,
    mark: words.indexOf('--', level.from),
    exists: (path) => exists(path, scope),
    isLink: () => false,
    isFolder: () => false,
    tops: [],
    roots: [],
    folderOf: () => undefined,
  })
}

/** Adds the commands that may start at each word, for deny rules. */
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

/**
 * Adds the commands that an unknown name may be, if its expansions are empty or have their default
 * value.
 */
function guessNames({ text, words }: SimpleCommand, scope: Scope): void {
  const at = words.findIndex(({ value }) => value === undefined)
  const rest = words.slice(at + 1).map(({ value }) => value)
  for (const name of words[at]?.guesses ?? [])
    add(scope, { text, words: [name, ...rest], doubts: [], guess: true })
}

/** Adds the commands in evaluated words: `a[$(…)]`. */
function guessEvaluated(words: ShellCommand['words'], scope: Scope): void {
  for (const word of words) if (word && /\$\(|`/.test(word)) guessIn(word, scope)
}

/** Adds all commands that a word may contain. */
function guessIn(word: string, scope: Scope): void {
  for (const words of guessCommands(word))
    add(scope, { text: words.join(' '), words, doubts: [], guess: true })
}

function move(
  given: ReturnType<typeof argumentsOf>,
  { leaves, returns }: Usage,
  scope: Scope,
): CommandOutcome {
  const target = given.find((argument) => argument.type === 'operand')
  const path = target ? (target.value === '-' ? undefined : target.value) : scope.fileSystem.home
  if (returns) {
    const { left } = scope.found
    if (left.length === 0)
      scope.found.doubts.add('changes to a folder that is unknown until it runs')
    return { success: left.length > 0 ? anyOf(...left) : [undefined], failure: scope.folders }
  }
  if (leaves) scope.found.left.push(scope.folders)
  if (!target)
    for (const cwd of scope.folders) addOperation(scope, { kind: 'list', path, cwd, because: 'cd' })
  if (path === undefined)
    scope.found.doubts.add('changes to a folder that is unknown until it runs')
  const folders = anyOf(
    ...scope.folders.map((folder) =>
      foldersAfterCd([folder], leadsAsWritten(folder, path, scope) ? path : undefined),
    ),
  )
  if (path !== undefined && folders.includes(undefined) && !scope.folders.includes(undefined))
    scope.found.doubts.add('changes to a folder that is unknown until it runs')
  return { success: folders, failure: scope.folders }
}

/**
 * True if `..` in a path leads to the same folder before and after links are followed. The shell
 * computes the path from its text, but if there is no such folder, the system follows the links.
 */
function leadsAsWritten(
  folder: string | undefined,
  path: string | undefined,
  { fileSystem }: Scope,
): boolean {
  if (folder === undefined || !path?.split('/').includes('..')) return true
  const full = path.startsWith('/') ? path : `${folder}/${path}`
  const [written] = foldersAfterCd([folder], path)
  const [one, other] = [full, written!].map((each) => realPath(each, fileSystem))
  return one !== undefined && one === other
}

/**
 * The `find -exec` commands that are judged only by their own rules: programs that only read,
 * whatever their arguments, applied to the names that `find` inserts. A name starts with the
 * searched folder, so it is not an option. The files are judged as the files that `find` finds.
 * Undefined if any command does not qualify.
 */
function sectionsJudgedApart(
  words: readonly (string | undefined)[],
  { usage, from }: Level,
  runs: Wrapped,
): { readonly words: (string | undefined)[]; readonly commands: Wrapped['commands'] } | undefined {
  const marks = list(usage.wrapper?.sections)
  const starts = words.flatMap((word, at) =>
    at >= from && word && marks.includes(word) ? [at] : [],
  )
  if (starts.length === 0 || starts.length !== runs.commands.length) return undefined
  const taken = new Set<number>()
  for (const [index, start] of starts.entries()) {
    const { at } = runs.commands[index]!
    const end = words.findIndex((_, place) => place > start && endsSection(words, place))
    if (words[start] !== '-exec' || at !== start + 1 || end < 0) return undefined
    const inner = words.slice(at, end)
    if (!inner.every((word) => word !== undefined && (word === '{}' || !word.includes('{'))))
      return undefined
    const program = programNamed(inner[0] ?? '')
    if (!program || inner[0]!.includes('/')) return undefined
    const found = levels(inner, program).at(-1)!.usage
    if (!found.onlyReads || found.wrapper) return undefined
    for (let place = start; place <= end; place++) taken.add(place)
  }
  return {
    words: words.filter((_, at) => !taken.has(at)),
    commands: runs.commands.map((command) => ({ ...command, doubts: [], named: true })),
  }
}
