// Folder: Shell text: parsed, judged and printed.
import { parse, type ParsedScript } from 'unbash'
import type { Operation } from '../decide/operation.ts'
import { NotYetKnown, type SearchableFileSystem } from '../decide/look-up.ts'
import { realPath, isWithin } from '../path/segments.ts'
import { type Changes, NO_CHANGES, withChanges, type CommandOutcome, staysIn } from './outcome.ts'
import { printScript } from './print.ts'
import { guessCommands, addMisread, type Findings, type Scope } from './scope.ts'
import type { ShellScript } from './script.ts'
import { walkScript } from './walk.ts'

/**
 * Characters that people and shells read differently: control, bidirectional and invisible
 * characters, spaces that don't separate words in a shell, lone surrogates. The emoji variation
 * selector (U+FE0F) is allowed.
 */
const DECEPTIVE =
  /(?! |\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

const LONGEST = 10_000
/**
 * The maximum number of file names to compare with patterns. A shell command may contain a thousand
 * patterns.
 */
const MAX_NAMES = 200_000

/**
 * Determines what a shell command would run, without running it. Never throws; anything it can't
 * analyze is a doubt. `folders` are the possible starting folders; undefined is an unknown one.
 */
export function analyze(
  text: string,
  fileSystem: SearchableFileSystem,
  folders: Scope['folders'] = [fileSystem.cwd],
): ShellScript {
  const found = analyzeUntilSettled(text, fileSystem, folders)
  const printed = printScript(found, text, fileSystem)
  if (found.doubts.size)
    for (const words of guessCommands(text))
      found.commands.push({ text: words.join(' '), words, doubts: [], guess: true })
  return {
    commands: found.commands,
    operations: [...found.operations, ...found.compared],
    doubts: [...found.doubts],
    folders: [...found.visited].flatMap((folder) => folder ?? []),
    ...printed,
  }
}

/**
 * The maximum number of passes. If the changes found still affect the next pass, the text can't be
 * analyzed.
 */
const MAX_TIMES = 5

/**
 * Analyzes a shell command repeatedly until its possible changes are known. Commands after a change
 * must not rely on the current state.
 */
function analyzeUntilSettled(
  text: string,
  fileSystem: SearchableFileSystem,
  folders: Scope['folders'],
): Findings {
  let changes = NO_CHANGES
  for (let times = 1; ; times++) {
    const found = analyzeOnce(text, fileSystem, folders, changes)
    const next = withChanges(changes, { list: found.changes, concurrent: found.concurrent })
    if (next === changes) return found
    if (times === MAX_TIMES) {
      found.doubts.add('changes files in an unsupported way')
      return found
    }
    changes = next
  }
}

function analyzeOnce(
  text: string,
  fileSystem: SearchableFileSystem,
  folders: Scope['folders'],
  changes: Changes,
): Findings {
  const found: Findings = {
    commands: [],
    operations: [],
    doubts: new Set(),
    misread: undefined,
    script: undefined,
    assigned: new Set(),
    unsure: new Set(),
    judged: new Set(),
    expanded: new Map(),
    names: { left: MAX_NAMES },
    patterns: false,
    left: [],
    changes: [],
    concurrent: false,
    turns: 0,
    walked: 0,
    visited: new Set(),
    moved: new Set(),
    compared: [],
  }
  const scope: Scope = {
    fileSystem,
    found,
    source: text,
    folders,
    editable: true,
    variables: new Map(),
    depth: 0,
    certain: true,
    place: { at: 0, end: text.length, group: undefined, repeats: false },
    changes,
    within: undefined,
    piped: false,
    fed: false,
    input: undefined,
    names: undefined,
    read: (inner, around) =>
      readText(inner, { ...around, editable: false, certain: false }).outcome,
  }
  found.script = readText(text, scope).script
  if (!found.commands.length) found.doubts.add('runs no command')
  if (found.operations.some(cutsNames) && found.operations.some(makesSeveral))
    found.doubts.add('writes a file whose name is then split into several')
  if (movesItself(found, fileSystem)) found.doubts.add('moves a folder that it runs in')
  return found
}

/** True if a folder that a command runs in may be moved, so that `..` leads elsewhere. */
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

const cutsNames = (operation: Operation): boolean =>
  operation.kind !== 'fetch' && operation.each?.cut === true

const makesSeveral = ({ kind, ...operation }: Operation): boolean =>
  kind === 'write' && 'path' in operation && /[\s'"\\]/.test(operation.path ?? ' ')

/**
 * Analyzes a shell command. If bash may parse any part differently, the command can't be printed.
 */
function readText(
  text: string,
  scope: Scope,
): { readonly outcome: CommandOutcome; readonly script?: ParsedScript } {
  const deceptive = deceptiveCharacters(text)
  if (deceptive) addMisread(scope, deceptive)
  if (text.length > LONGEST) {
    addMisread(scope, `is longer than ${LONGEST} characters`)
    return { outcome: staysIn([undefined]) }
  }
  try {
    const script = parse(text)
    return { outcome: walkScript(script, { ...scope, source: text }), script }
  } catch (error) {
    if (error instanceof NotYetKnown) throw error
    // The parser promises not to throw. If it does, the text is not allowed.
    addMisread(scope, `cannot be parsed: ${error instanceof Error ? error.message : String(error)}`)
    return { outcome: staysIn([undefined]) }
  }
}

/** The reason why the characters in a text may mislead people, or undefined if they don't. */
export function deceptiveCharacters(text: string): string | undefined {
  const found = DECEPTIVE.exec(text)
  if (found) {
    const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    return `contains the character U+${code}, which people may not see`
  }
  return joinsLines(text) ? 'a backslash joins two lines inside a word' : undefined
}

/**
 * True if a `\⏎` in the text may mislead people. After whitespace it only separates words. It is
 * misleading elsewhere, or where it may be in a comment or here-document.
 */
function joinsLines(text: string): boolean {
  let at = text.indexOf('\\\n')
  if (at < 0) return false
  if (text.includes('#') || text.includes('<<')) return true
  for (; at >= 0; at = text.indexOf('\\\n', at + 1)) {
    if (text[at - 1] !== ' ' && text[at - 1] !== '\t') return true
  }
  return false
}
