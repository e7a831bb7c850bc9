import type { EachFile, FileOperation } from '../decide/operation.ts'
import type { Wrapped } from './wrapped.ts'
import { argumentsOf, levels, type Level, hasOption, isCase } from './reach.ts'
import { listed, type Argument } from './option.ts'
import { addsPlainly, isLineEnd, marksOf } from './input-words.ts'
import { entries, type OperandRole, type Usage } from './program.ts'
import type { PrintedNames } from './outcome.ts'
import { isUnquotedName } from './printed.ts'
import { programNamed } from './programs/index.ts'
import { staleIn, type Scope } from './scope.ts'
import { mentionedPaths } from './argument-operations.ts'

/**
 * The operations on files whose names a command reads from its input: `find src | xargs cat` reads
 * files in `src`, and `echo a | xargs cat` reads `a`. The names in any other input are unknown.
 */
export function operationsOnInputNames(
  words: readonly (string | undefined)[],
  part: Wrapped['commands'][number],
  level: Level,
  scope: Scope,
): FileOperation[] {
  const { wrapper } = level.usage
  const kind = wrapper?.adds || wrapper?.sections ? kindOf(part.words) : undefined
  if (!wrapper || !kind) return []
  const own = ownArguments(words, part, level)
  const names = namesFor(own, part, level, scope)
  if (!wrapper.sections && !scope.fed && names) return []
  const each =
    names?.each && kind !== 'list' ? { ...names.each, cut: cutsAt(own, level) } : undefined
  const only = each && names?.only
  return (names ? names.paths.flatMap(mentionedPaths) : [undefined]).flatMap((path) =>
    scope.folders.map((cwd) => ({
      kind,
      path,
      cwd,
      because: 'names from its input',
      ...(each && { each }),
      only,
      tracked: each?.changed && kind === 'read' ? ('named' as const) : undefined,
    })),
  )
}

/**
 * True if all words that a wrapper adds are known names. They are judged as files, so none is an
 * option.
 */
export function addsKnownNames(
  words: readonly (string | undefined)[],
  part: Wrapped['commands'][number],
  level: Level,
  scope: Scope,
): boolean {
  if (!scope.fed || kindOf(part.words) !== 'read') return false
  const names = namesFor(ownArguments(words, part, level), part, level, scope)
  return names !== undefined && (names.each !== undefined || names.paths.every(isUnquotedName))
}

/** The arguments of the wrapper itself. */
function ownArguments(
  words: readonly (string | undefined)[],
  part: Wrapped['commands'][number],
  level: Level,
): readonly Argument[] {
  const end = level.usage.wrapper?.sections ? part.at - 1 : part.at
  return argumentsOf(words.slice(0, end), level).filter(({ at }) => at < end)
}

/** The names that a wrapper adds. Empty if it has no input; undefined if they are unknown. */
function namesFor(
  own: readonly Argument[],
  part: Wrapped['commands'][number],
  { usage }: Level,
  { fed, names }: Scope,
): PrintedNames | undefined {
  if (usage.wrapper?.sections) return namesIn(own, usage)
  if (!areNamesUnchanged(own, part.words, usage)) return undefined
  if (!fed) return { paths: [] }
  // If the two commands disagree on the end of a name, the names differ.
  return names && (names.zero ?? false) === hasOption(own, NULL, usage) ? names : undefined
}

const NULL = '-0 --null'

/** The way in which a wrapper splits its input into names. */
function cutsAt(own: readonly Argument[], { usage }: Level): NonNullable<EachFile['cut']> {
  if (usage.wrapper?.sections || hasOption(own, NULL, usage)) return false
  return own.some((argument) => isLineEnd(argument, usage)) ? 'lines' : true
}

/**
 * True if every name in the input becomes a word unchanged: it is not read from a file, split, or
 * inserted into a word.
 */
function areNamesUnchanged(
  own: readonly Argument[],
  words: Wrapped['commands'][number]['words'],
  usage: Usage,
): boolean {
  const marks = marksOf(own, usage)
  return (
    addsPlainly(own, usage) &&
    words.every((word) => marks.every((mark) => word === mark || !word?.includes(mark)))
  )
}

const KINDS: Readonly<Partial<Record<OperandRole, FileOperation['kind']>>> = {
  read: 'read',
  list: 'list',
  write: 'write',
  move: 'write',
  entry: 'list',
  mention: 'read',
  pathspec: 'read',
}

/** The effect of a program on files in its last words, or undefined if they are not files. */
function kindOf(words: readonly (string | undefined)[]): FileOperation['kind'] | undefined {
  const program = words[0] === undefined ? undefined : programNamed(words[0])
  const { operands = { rest: 'mention' } } = levels(words, program ?? {}).at(-1)!.usage
  return KINDS[operands.last ?? operands.rest]
}

/**
 * The file names that a command prints, or undefined if it prints something else or they are
 * unknown.
 */
export function printedNamesOf(
  given: readonly Argument[],
  usage: Usage,
  scope: Scope,
): PrintedNames | undefined {
  const { printsNames, filters } = usage
  if (printsNames && isCase(given, printsNames, usage)) {
    // In that case, git starts at the top and prints names with `..`.
    if (usage.printsTracked && operandsOf(given, usage).some(mayLeave)) return undefined
    const isTracked = usage.printsTracked && areTracked(given, usage.printsTracked, usage)
    const options = given.flatMap((argument) => (argument.type === 'option' ? [argument.name] : []))
    const zero = options.some((name) => ZERO.has(name))
    if (zero && options.some((name) => LINE.has(name))) return undefined
    if (isTracked) return { ...trackedNames(given, usage, scope), zero }
    const names = namesIn(given, usage)
    return names?.paths.every(isUnquotedName) ? { ...names, zero } : undefined
  }
  if (usage.printsOperands !== undefined) return listedNames(given, usage, scope)
  const comesIn = operandsOf(given, usage).length === 0
  return filters && comesIn && isCase(given, filters, usage) ? scope.names : undefined
}

const HERE = '.'

/**
 * The names that `ls` prints: its operands if they are files or, without operands, the names in its
 * folder.
 */
function listedNames(
  given: readonly Argument[],
  usage: Usage,
  scope: Scope,
): PrintedNames | undefined {
  const plain = entries(usage.printsOperands)
  const paths: string[] = []
  for (const argument of given) {
    if (argument.type === 'option' && !plain.some(({ name }) => name === argument.name))
      return undefined
    if (argument.type === 'option') continue
    if (argument.value === undefined || !isFile(argument.value, scope)) return undefined
    paths.push(argument.value)
  }
  if (paths.length === 0) return { paths: [HERE], each: {} }
  return paths.every(isUnquotedName) ? { paths } : undefined
}

/** True if a path is certainly not a folder, in every possible starting folder. */
const isFile = (path: string, scope: Scope): boolean =>
  !staleIn(scope) &&
  scope.folders.every((folder) => {
    const full = path.startsWith('/') ? path : folder !== undefined && `${folder}/${path}`
    return full !== false && scope.fileSystem.identify?.(full)?.isFolder === false
  })

/** The names of tracked files that the operands select. */
function trackedNames(given: readonly Argument[], usage: Usage, scope: Scope): PrintedNames {
  const each = {
    tracked: true,
    changed: usage.printsTracked?.changed ? (true as const) : undefined,
  }
  const operands = operandsOf(given, usage).map((path) => PATHSPEC.exec(path ?? '')?.groups)
  const isTop = scope.folders.every(
    (folder) => folder !== undefined && scope.fileSystem.repositoryOf?.(folder)?.root === folder,
  )
  // Elsewhere, names may be relative to the top folder and refer to other files.
  if (!isTop) return { paths: [HERE], each: {} }
  if (operands.length === 0 || operands.includes(undefined)) return { paths: [HERE], each }
  const only = operands.flatMap((operand) => operand!['only'] ?? [])
  return {
    paths: operands.map((operand) => operand!['folder']?.replace(/\/$/, '') || HERE),
    each,
    only: only.length === operands.length ? only : undefined,
  }
}

/**
 * A path, or a pattern for the last names in a folder: `src`, `*.ts`, `src/*.ts`. In git's
 * patterns, `*` also matches `/`.
 */
const PATHSPEC = /^(?<folder>(?:\w[\w.-]*\/)*(?:\w[\w.-]*)?)(?<only>(?<=^|\/)\*\.\w[\w.]*)?$/

/** True if a git path pattern may match files outside the folder. */
const mayLeave = (path: string | undefined): boolean =>
  path === undefined || /^:|(?:^|\/)\.\.(?:\/|$)/.test(path)

/**
 * Options that make a program end each name with a NUL character, and those that make it end each
 * name with a newline.
 */
const ZERO = new Set(['-print0', '-0', '--null', '--print0', '-z'])
const LINE = new Set(['-print'])

/** The names of files in the operand folders, or undefined if a folder is unknown. */
function namesIn(given: readonly Argument[], usage: Usage): PrintedNames | undefined {
  // For git, which operands are paths depends on the existing commits.
  const named = usage.operands?.rest === 'pathspec' ? [] : operandsOf(given, usage)
  if (!named.every((path) => path !== undefined)) return undefined
  return { paths: named.length ? named : [HERE], ...chosenNames(given, usage) }
}

/**
 * True if all printed names refer to files that git tracks now, not to files in earlier commits.
 */
function areTracked(
  given: readonly Argument[],
  { bare, ...condition }: NonNullable<Usage['printsTracked']>,
  usage: Usage,
): boolean {
  if (!isCase(given, condition, usage)) return false
  return !bare || given.every(({ type }) => type === 'option')
}

type Chosen = Required<Pick<PrintedNames, 'each'>> & Pick<PrintedNames, 'only'>

/** The selected names, if the options do nothing but select. */
function chosenNames(given: readonly Argument[], usage: Usage): Chosen {
  if (!usage.chooses) return { each: {} }
  const { narrows, named, files } = usage.chooses
  const words = given.flatMap(({ type, value }) => (type === 'operand' ? [value] : []))
  if (words.some((word) => word && /^[(),]$/.test(word))) return { each: {} }
  const tests = given.filter((argument) => argument.type === 'option' || argument.value === '!')
  const isNegation = (test: Argument | undefined): boolean =>
    test?.value === '!' || (test?.type === 'option' && test.name === '-not')
  const options = tests.flatMap((test) => (test.type === 'option' ? [test] : []))
  if (!options.every(({ name }) => listed(`${narrows} ${named} ${files}`, name, usage)))
    return { each: {} }
  // Each test narrows the selection, even a negated one, but only the tests that are not negated
  // define it.
  const chosen = options.filter((option) => !isNegation(tests[tests.indexOf(option) - 1]))
  const last = chosen.find(({ name }) => listed(named, name, usage))?.value
  const isSure = last !== undefined && /^[\w.*?-]+$/.test(last)
  const onlyFiles = chosen.some(({ name, value }) => listed(files, name, usage) && value === 'f')
  return { each: onlyFiles ? { withoutLinks: true } : {}, only: isSure ? [last] : undefined }
}

/** The operands, without a first one that is not a file. */
function operandsOf(given: readonly Argument[], usage: Usage): readonly (string | undefined)[] {
  const { operands } = usage
  const special = operands?.first && !hasOption(given, operands.unless, usage)
  return given
    .flatMap((argument) => (argument.type === 'operand' ? [argument.value] : []))
    .slice(special ? 1 : 0)
}
