import { parse } from 'unbash'
import type { Operation } from '../decide/operation.ts'
import { NotYetKnown, type SearchableFileSystem } from '../decide/look-up.ts'
import { realPath } from '../path/real-path.ts'
import { isWithin } from '../path/segments.ts'
import { type Changes, NO_CHANGES, withChanges } from './changes.ts'
import { deceptiveCharacters } from './characters.ts'
import { staysIn } from './outcome.ts'
import { guessCommands } from './guess-commands.ts'
import type { Findings, Scope } from './scope.ts'
import type { ShellCommand, ShellScript } from './script.ts'
import { walkScript } from './walk.ts'

const LONGEST = 10_000

/** Finds out what a shell text would run, without running it. Never throws; whatever isn't understood is a doubt. */
export function analyze(text: string, fileSystem: SearchableFileSystem): ShellScript {
  const { found, replaced } = analyzeUntilSettled(text, fileSystem, LONGEST)
  const expanded = found.replaced.size > 0 ? replaced : undefined
  if (expanded !== undefined && !meansTheSame(found, expanded, fileSystem))
    found.doubts.add('has patterns that cannot be replaced by the names of files')
  if (found.doubts.size)
    for (const words of guessCommands(text))
      found.commands.push({ text: words.join(' '), words, doubts: [], guess: true })
  return {
    commands: found.commands,
    operations: [...found.operations, ...found.compared],
    doubts: [...found.doubts],
    ...(expanded !== undefined && found.doubts.size === 0 && { expanded }),
  }
}

/**
 * Whether the text with the names in place of the patterns is parsed into the very words and files that were judged. A name
 * may contain anything, and quotes do not mean the same everywhere.
 */
function meansTheSame(
  { commands, operations }: Findings,
  expanded: string,
  fileSystem: SearchableFileSystem,
): boolean {
  const { found } = analyzeUntilSettled(expanded, fileSystem, LONGEST_EXPANDED)
  return (
    found.doubts.size === 0 &&
    found.replaced.size === 0 &&
    JSON.stringify([found.commands.map(wordsOf), found.operations.map(fileOf)]) ===
      JSON.stringify([commands.map(wordsOf), operations.map(fileOf)])
  )
}

const wordsOf = ({ words, reach, wraps, guess }: ShellCommand) => ({ words, reach, wraps, guess })

const fileOf = (operation: Operation) => ({ ...operation, because: undefined })

/** A text whose changes still affect what else it may change after this many times is not understood. */
const MAX_TIMES = 5

/** Analyzes a text until it is known what it may change: what comes after that must not rely on what is there now. */
function analyzeUntilSettled(
  text: string,
  fileSystem: SearchableFileSystem,
  longest: number,
): { readonly found: Findings; readonly replaced: string } {
  let changes = NO_CHANGES
  for (let times = 1; ; times++) {
    const found = analyzeOnce(text, fileSystem, changes, longest)
    const next = withChanges(changes, { list: found.changes, concurrent: found.concurrent })
    if (next === changes || times === MAX_TIMES) {
      if (next !== changes) found.doubts.add('changes files in a way that is not understood')
      return { found, replaced: replaceAll(text, found.replaced) }
    }
    changes = next
  }
}

function analyzeOnce(
  text: string,
  fileSystem: SearchableFileSystem,
  changes: Changes,
  longest: number,
): Findings {
  const found: Findings = {
    commands: [],
    operations: [],
    doubts: new Set(),
    assigned: { isPlain: new Map(), unquoted: new Set() },
    replaced: new Map(),
    left: [],
    changes: [],
    concurrent: false,
    turns: 0,
    visited: new Set(),
    moved: new Set(),
    compared: [],
  }
  const scope: Scope = {
    fileSystem,
    found,
    source: text,
    folders: [fileSystem.cwd],
    editable: true,
    variables: new Map(),
    depth: 0,
    place: { at: 0, end: text.length, group: undefined, repeats: false },
    changes,
    within: undefined,
    piped: false,
    fed: false,
    input: undefined,
    names: undefined,
    read: (inner, around) => readText(inner, { ...around, editable: false }, LONGEST),
  }
  readText(text, scope, longest)
  if (!found.commands.length) found.doubts.add('runs no command')
  if (found.operations.some(cutsNames) && found.operations.some(makesSeveral))
    found.doubts.add('writes a file whose name is then split into several')
  if (movesItself(found, fileSystem)) found.doubts.add('moves a folder that it runs in')
  return found
}

/** Whether a folder that a command runs in may be moved: `..` then leads elsewhere. */
function movesItself({ moved, visited: all }: Findings, fileSystem: SearchableFileSystem): boolean {
  if (moved.size === 0) return false
  const visited = [...all].flatMap((folder) => folder ?? [])
  if (visited.length < all.size) return true
  const realOf = (path: string): string => realPath(path, fileSystem) ?? path
  const folders = [...visited, ...visited.map(realOf)]
  return [...moved].some(
    (path) =>
      path === undefined ||
      [path, realOf(path)].some((each) => folders.some((folder) => isWithin(folder, each))),
  )
}

/** A system passes no longer text to a shell. */
const LONGEST_EXPANDED = 100_000

function replaceAll(text: string, replaced: Findings['replaced']): string {
  let result = ''
  let at = 0
  for (const [start, { end, text: instead }] of [...replaced].sort(
    ([one], [other]) => one - other,
  )) {
    result += text.slice(at, start) + instead
    at = end
  }
  return result + text.slice(at)
}

const cutsNames = (operation: Operation): boolean =>
  operation.kind !== 'fetch' && operation.each?.cut === true

const makesSeveral = ({ kind, ...operation }: Operation): boolean =>
  kind === 'write' && 'path' in operation && /[\s'"\\]/.test(operation.path ?? ' ')

function readText(text: string, scope: Scope, longest: number): ReturnType<Scope['read']> {
  const { doubts } = scope.found
  const deceptive = deceptiveCharacters(text)
  if (deceptive) doubts.add(deceptive)
  if (text.length > longest) {
    doubts.add(`is longer than ${longest} characters`)
    return staysIn([undefined])
  }
  try {
    return walkScript(parse(text), { ...scope, source: text })
  } catch (error) {
    if (error instanceof NotYetKnown) throw error
    // The parser promises not to throw. If it does, the text is not allowed.
    doubts.add(`cannot be parsed: ${error instanceof Error ? error.message : String(error)}`)
    return staysIn([undefined])
  }
}
