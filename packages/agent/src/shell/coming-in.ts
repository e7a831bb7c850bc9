import type { FileOperation } from '../permission/operation.ts'
import type { Inside } from './inside.ts'
import { argumentsOf, levels, type Level } from './level.ts'
import type { Argument } from './option.ts'
import type { Touch, Usage } from './program.ts'
import { programNamed } from './programs/index.ts'
import { hasOption, isCase } from './reach.ts'
import type { Scope } from './scope.ts'

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
  const { usage, from } = level
  const { adds, inside } = usage.wrapper ?? {}
  const kind = adds || inside ? kindOf(part.words) : undefined
  if (!kind || (adds && !scope.fed)) return []
  const own = argumentsOf(words.slice(0, part.at - (inside ? 1 : 0)), { usage, from, to: part.at })
  const paths = isAltered(words, part, own, usage)
    ? undefined
    : inside
      ? folders(own, usage)
      : scope.input === undefined
        ? scope.names
        : namesIn(scope.input)
  return (paths ?? [undefined]).flatMap((path) =>
    scope.place.map((cwd) => ({ kind, path, cwd, because: 'the names that come in' })),
  )
}

/** Whether names become other names: `xargs -I% cat .%`, `find -exec cat .{} ;`. */
function isAltered(
  words: readonly (string | undefined)[],
  { at }: Inside['commands'][number],
  own: readonly Argument[],
  usage: Usage,
): boolean {
  if (hasOption(own, usage.wrapper?.alters, usage)) return true
  return words.slice(at).some((word) => word !== undefined && word !== '{}' && word.includes('{}'))
}

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

/** The names in a text, as `xargs` would split it; undefined where a shell or `xargs` may read it otherwise. */
const namesIn = (text: string): string[] | undefined =>
  /[\\%]/.test(text) ? undefined : text.replace(/['"]/g, '').split(/\s+/).filter(Boolean)

/** The folders that a command prints names of; undefined: it prints something else, or that cannot be told. */
export function namesPrinted(
  given: readonly Argument[],
  usage: Usage,
  scope: Scope,
): readonly string[] | undefined {
  const { printsNames, filters } = usage
  const paths = folders(given, usage)
  if (printsNames && isCase(given, printsNames, usage)) return paths
  const comesIn = paths?.length === 1 && paths[0] === HERE
  return filters && comesIn && isCase(given, filters, usage) ? scope.names : undefined
}

const HERE = '.'

/** The folders that operands name; undefined: that cannot be told. */
function folders(given: readonly Argument[], usage: Usage): readonly string[] | undefined {
  const { operands } = usage
  // Which of git's are paths hangs on what commits there are.
  if (operands?.rest === 'pathspec') return [HERE]
  const special = operands?.first && !hasOption(given, operands.unless, usage)
  const paths = given.flatMap((argument) => (argument.type === 'operand' ? [argument.value] : []))
  const named = paths.slice(special ? 1 : 0)
  if (!named.every((path) => path !== undefined)) return undefined
  return named.length ? named : [HERE]
}
