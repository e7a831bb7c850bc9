import { parse } from 'unbash'
import type { Operation } from '../decide/operation.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { deceptiveCharacters } from './characters.ts'
import { staysIn } from './outcome.ts'
import { guessCommands } from './guess-commands.ts'
import type { Findings, Scope } from './scope.ts'
import type { ShellScript } from './script.ts'
import { walkScript } from './walk.ts'

const LONGEST = 10_000

/** Finds out what a shell text would run, without running it. Never throws; whatever isn't understood is a doubt. */
export function analyze(text: string, fileSystem: SearchableFileSystem): ShellScript {
  const found: Findings = {
    commands: [],
    operations: [],
    doubts: new Set(),
    assigned: new Set(),
    replaced: new Map(),
    left: [],
  }
  const scope: Scope = {
    fileSystem,
    found,
    source: text,
    folders: [fileSystem.cwd],
    editable: true,
    variables: new Map(),
    depth: 0,
    read: (inner, around) => readText(inner, { ...around, editable: false }),
  }
  readText(text, scope)
  if (!found.commands.length) found.doubts.add('runs no command')
  if (found.operations.some(cutsNames) && found.operations.some(makesSeveral))
    found.doubts.add('writes a file whose name is then split into several')
  if (found.doubts.size)
    for (const words of guessCommands(text))
      found.commands.push({ text: words.join(' '), words, doubts: [], guess: true })
  const expanded = replaceAll(text, found.replaced)
  if (expanded.length > LONGEST_EXPANDED) found.doubts.add('has patterns that match too many files')
  return {
    commands: found.commands,
    operations: found.operations,
    doubts: [...found.doubts],
    ...(found.replaced.size > 0 && { expanded }),
  }
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

function readText(text: string, scope: Scope): ReturnType<Scope['read']> {
  const { doubts } = scope.found
  const deceptive = deceptiveCharacters(text)
  if (deceptive) doubts.add(deceptive)
  if (text.length > LONGEST) {
    doubts.add(`is longer than ${LONGEST} characters`)
    return staysIn([undefined])
  }
  try {
    return walkScript(parse(text), { ...scope, source: text })
  } catch (error) {
    // The parser promises not to throw. If it does, the text is not allowed.
    doubts.add(`cannot be parsed: ${error instanceof Error ? error.message : String(error)}`)
    return staysIn([undefined])
  }
}
