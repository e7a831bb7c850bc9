import type { FileOperation } from '../permission/operation.ts'
import type { Inside } from './inside.ts'
import { argumentsOf, levels, type Level } from './level.ts'
import { listed, type Argument } from './option.ts'
import type { Touch, Usage, Wrapper } from './program.ts'
import { isOneName } from './printed.ts'
import { programNamed } from './programs/index.ts'
import { hasOption, isCase } from './reach.ts'
import type { Scope } from './scope.ts'
import { mentioned } from './touch.ts'

/**
 * What is done to files whose names come in when a command runs: `find src | xargs cat` reads in `src`, `echo a | xargs cat`
 * reads `a`, and what other input names cannot be told.
 */
export function comingIn(
  words: readonly (string | undefined)[],
  part: Inside['commands'][number],
  level: Level,
  scope: Scope,
): FileOperation[] {
  const { usage } = level
  const { wrapper } = usage
  const kind = wrapper?.adds || wrapper?.inside ? kindOf(part.words) : undefined
  if (!wrapper || !kind) return []
  const end = wrapper.inside ? part.at - 1 : part.at
  const given = argumentsOf(words.slice(0, end), level)
  const own = given.filter(({ at }) => at < end)
  let paths: readonly (string | undefined)[] | undefined
  if (wrapper.inside) paths = folders(own, usage)
  else if (!staysWhole(own, part.words, usage, wrapper)) paths = undefined
  else if (scope.fed) paths = scope.names?.flatMap(mentioned)
  else return []
  return (paths ?? [undefined]).flatMap((path) =>
    scope.place.map((cwd) => ({ kind, path, cwd, because: 'the names that come in' })),
  )
}

/** Whether every name that comes in becomes a word as it is: not one that a file lists, that is cut, or put into a word. */
const staysWhole = (
  given: readonly Argument[],
  words: Inside['commands'][number]['words'],
  usage: Usage,
  { adds, replaces }: Wrapper,
): boolean =>
  given.every((argument) => {
    if (argument.type === 'operand' || listed(adds, argument.name, usage)) return true
    if (!listed(replaces, argument.name, usage) || !argument.value) return false
    const mark = argument.value
    return words.every((word) => word === undefined || word === mark || !word.includes(mark))
  })

const KINDS: Readonly<Partial<Record<Touch, FileOperation['kind']>>> = {
  read: 'read',
  list: 'list',
  write: 'write',
  mention: 'read',
  pathspec: 'read',
}

/** What a program does to the files that the last of its words name; undefined: they are no files. */
function kindOf(words: readonly (string | undefined)[]): FileOperation['kind'] | undefined {
  const program = words[0] === undefined ? undefined : programNamed(words[0])
  const { operands = { rest: 'mention' } } = levels(words, program ?? {}).at(-1)!.usage
  return KINDS[operands.last ?? operands.rest]
}

/** The folders that a command prints names of; undefined: it prints something else, or that cannot be told. */
export function namesPrinted(
  given: readonly Argument[],
  usage: Usage,
  scope: Scope,
): readonly string[] | undefined {
  const { printsNames, filters } = usage
  if (printsNames && isCase(given, printsNames, usage)) {
    const paths = folders(given, usage)
    return paths?.some((path) => !isOneName(path)) ? undefined : paths
  }
  const comesIn = operandsOf(given, usage).length === 0
  return filters && comesIn && isCase(given, filters, usage) ? scope.names : undefined
}

const HERE = '.'

/** The folders that operands name; undefined: that cannot be told. */
function folders(given: readonly Argument[], usage: Usage): readonly string[] | undefined {
  // Which of git's are paths hangs on what commits there are.
  if (usage.operands?.rest === 'pathspec') return [HERE]
  const named = operandsOf(given, usage)
  if (!named.every((path) => path !== undefined)) return undefined
  return named.length ? named : [HERE]
}

/** The operands but for a first one that is no file. */
function operandsOf(given: readonly Argument[], usage: Usage): readonly (string | undefined)[] {
  const { operands } = usage
  const special = operands?.first && !hasOption(given, operands.unless, usage)
  return given
    .flatMap((argument) => (argument.type === 'operand' ? [argument.value] : []))
    .slice(special ? 1 : 0)
}
