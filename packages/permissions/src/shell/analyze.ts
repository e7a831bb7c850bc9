import { parse } from 'unbash'
import type { Operation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { deceptiveCharacters } from './characters.ts'
import { foldersAfterCd, staysIn } from './outcome.ts'
import { guessCommands } from './guess-commands.ts'
import type { Findings, Scope } from './scope.ts'
import type { ShellScript } from './script.ts'
import { walkScript } from './walk.ts'

const LONGEST = 10_000

/** Finds out what a shell text would run, without running it. Never throws; whatever isn't understood is a doubt. */
export function analyze(text: string, fileSystem: FileSystemView): ShellScript {
  const found: Findings = { commands: [], operations: [], doubts: new Set() }
  const scope: Scope = {
    fileSystem,
    found,
    source: text,
    folders: [fileSystem.cwd],
    loops: new Set(),
    depth: 0,
    read: (inner, around) => readText(inner, around),
  }
  readText(text, scope)
  if (!found.commands.length) found.doubts.add('runs no command')
  if (found.operations.some(cutsNames) && found.operations.some(makesSeveral))
    found.doubts.add('writes a file whose name is then split into several')
  if (movesItsFolder(found.operations, fileSystem))
    found.doubts.add('moves a folder that it also runs commands in')
  if (found.doubts.size)
    for (const words of guessCommands(text))
      found.commands.push({ text: words.join(' '), words, doubts: [], guess: true })
  return { commands: found.commands, operations: found.operations, doubts: [...found.doubts] }
}

const cutsNames = (operation: Operation): boolean =>
  operation.kind !== 'fetch' && operation.each?.cut === true

const makesSeveral = ({ kind, ...operation }: Operation): boolean =>
  kind === 'write' && 'path' in operation && /[\s'"\\]/.test(operation.path ?? ' ')

/** Whether a folder is moved in which commands run: `..` then leads elsewhere. */
function movesItsFolder(operations: readonly Operation[], fileSystem: FileSystemView): boolean {
  const real = (path: string): string => fileSystem.follow(path)?.at(-1) ?? path
  const files = operations.filter((operation) => operation.kind !== 'fetch')
  const moved = files.flatMap(({ moves, path, cwd }) =>
    moves ? foldersAfterCd([cwd], path).map((folder) => folder && `${real(folder)}/`) : [],
  )
  if (moved.length === 0) return false
  const folders = new Set(files.map(({ cwd }) => cwd && `${real(cwd)}/`))
  return moved.some((path) =>
    [...folders].some((folder) => path === undefined || !folder || folder.startsWith(path)),
  )
}

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
