import type { FileOperation, Operation } from '../decide/operation.ts'
import { namesHash, showsWhole, type ObjectWords } from './git-objects.ts'
import { listed, plainOf, type Argument, type Operand } from './option.ts'
import type { PossibleFolders } from './outcome.ts'
import {
  entries,
  list,
  type Operands,
  type OperandRole,
  type Usage,
  type Words,
} from './program.ts'
import { hasOption, isCase } from './reach.ts'

/** The context of a command's arguments. */
export interface ArgumentContext extends ObjectWords {
  /** The command reaches, so it may write the files it names. */
  readonly reaches: boolean
  /** It reads from a pipe. */
  readonly piped: boolean
  /** The folder in which the word at this index is expanded to file names, if it is unknown until it runs. */
  readonly folderOf: (at: number) => string | undefined
}

/** The files and pages that a command's arguments name, according to its table. */
export function argumentOperations(
  name: string,
  given: readonly Argument[],
  usage: Usage,
  folders: PossibleFolders,
  { reaches, piped, mark, exists, folderOf }: ArgumentContext,
): Operation[] {
  const found: Operation[] = []
  const because = (value: string) => `${name} ${value}`
  const file = (
    kind: FileOperation['kind'],
    path: string,
    implied = usage.implied,
    more: Partial<FileOperation> = {},
  ) => {
    for (const cwd of folders)
      found.push({
        kind,
        path,
        cwd,
        because: because(path),
        ...(implied && { implied }),
        ...(usage.removes && kind === 'write' && { removes: true }),
        ...more,
      })
  }
  const touch = (as: OperandRole, value: string | undefined): void => {
    if (value === undefined || value === '' || as === 'text' || as === 'script') return
    if (as === 'address') return page(value)
    if (as === 'remote') {
      if (isHost(value)) return page(`https://${hostOf(value)}/`)
      // A repository in a folder: all of it can be read after a fetch.
      return /^[./~]/.test(value) || exists(value) ? file('read', value, false) : touch(M, value)
    }
    if (as === 'pathspec') {
      const folder = patternFolder(value)
      if (folder !== undefined) file('read', folder, true)
      return touch(M, value)
    }
    if (as === 'move') {
      // Rules for a path no longer cover what was there once it has another one.
      file('read', value)
      return file('write', value, usage.implied, { moves: true })
    }
    if (as !== M) return value === '-' ? undefined : file(as, value)
    for (const path of mentionedPaths(value)) {
      if (ADDRESS.test(path)) page(path)
      else {
        file('read', path, true)
        if (reaches) file('write', path, true)
      }
    }
  }
  const page = (address: string) => {
    if (/^file:/i.test(address))
      return file('read', address.replace(/^file:(?:\/\/[^/]*)?/i, ''), false)
    const url = ADDRESS.test(address) ? address : `http://${address}`
    found.push({ kind: 'fetch', url, because: because(address), implied: true })
  }

  const operands = given.filter((argument) => argument.type === 'operand')
  const written = hasOption(given, usage.writesWith, usage)
  const special = usage.operands && !hasOption(given, usage.operands.unless, usage)
  operands.forEach(({ value, at }, index) => {
    const as = touchOf(usage.operands ?? { rest: M }, index, operands.length, special ?? false)
    const named = assigned(value, usage)
    const folder = value === undefined && as !== 'list' && as !== 'text' ? folderOf(at) : undefined
    if (folder !== undefined) file('read', folder, true)
    else if (named) touch(named.as, named.value)
    else touch(as === 'read' && written ? 'write' : as, value)
    if (written && value && (as === M || as === 'pathspec')) file('write', value, true)
  })
  const target = operands.at(-1)?.value
  if (usage.operands?.rest === 'move' && target)
    // If the last operand is a folder, the others keep their names in it.
    for (const { value } of operands.slice(0, -1))
      if (value) file('write', `${target}/${value.replace(/\/+$/, '').replace(/^.*\//s, '')}`)
  const own = operands.slice(usage.operands?.first && special ? 1 : 0)
  const words = { mark, exists }
  if (takesFolder(given, own, usage, { piped, ...words }))
    file('read', '.', usage.operands?.rest === 'pathspec' || usage.implied)
  const objects = [...own, ...given.flatMap((argument) => asOperand(argument, usage))]
  const { hashes } = usage.operands ?? {}
  if (hashes && objects.length >= (hashes === 'beside' ? 2 : 1) && namesHash(objects, words))
    file('read', '.', true)
  for (const argument of given) {
    if (argument.type !== 'option') continue
    const has = (words: Words | undefined) => listed(words, argument.name, usage)
    const plain = plainOf(usage).options.get(argument.name)
    if (has(usage.files?.read)) touch('read', argument.value)
    else if (has(usage.files?.write)) touch('write', argument.value)
    else if (has(usage.files?.mention)) touch(M, argument.value)
    else if ((!plain || plain.takes === 'nothing') && usage.operands?.rest !== 'text')
      touch(M, argument.value)
  }
  return found
}

const M = 'mention' satisfies OperandRole

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i

function touchOf(operands: Operands, index: number, count: number, special: boolean): OperandRole {
  if (index === 0 && operands.first && special) return operands.first
  if (index === count - 1 && index > 0 && operands.last) return operands.last
  return operands.rest
}

/** Whether a command uses the whole folder it runs in. */
function takesFolder(
  given: readonly Argument[],
  operands: readonly Operand[],
  usage: Usage,
  { piped, ...words }: Pick<ArgumentContext, 'piped' | keyof ObjectWords>,
): boolean {
  const { folder, rest, unlimited } = usage.operands ?? {}
  if (folder === undefined) return false
  if (folder === 'always') return !piped && operands.length === 0
  const takes = folder.some((condition) => isCase(given, condition, usage))
  if (!takes || rest !== 'pathspec') return takes && operands.length === 0
  return (
    hasOption(given, unlimited, usage) || showsWhole(operands, words) || namesHash(operands, words)
  )
}

/** The value of an option that may name the same things as an operand. */
const asOperand = (argument: Argument, { files }: Usage): Operand[] =>
  argument.type === 'option' && entries(files?.mention).some(({ name }) => name === argument.name)
    ? [{ type: 'operand', at: argument.at, value: argument.value }]
    : []

/** `of=x`, if the table lists `of=`. */
function assigned(
  value: string | undefined,
  { files }: Usage,
): { as: OperandRole; value: string } | undefined {
  for (const as of ['read', 'write'] as const) {
    const entry = list(files?.[as]).find((name) => !name.startsWith('-') && value?.startsWith(name))
    if (entry) return { as, value: value!.slice(entry.length) }
  }
  return undefined
}

/** The paths a word may name: itself, and the text before or after `:`, `=` or `@`: `HEAD:.env`, `if=.env`, `:0:.env`. */
export function mentionedPaths(word: string): string[] {
  if (word.length > 1000 || /[\n\0]/.test(word)) return []
  if (ADDRESS.test(word)) return [word]
  const paths = new Set([word])
  for (let at = 0; at < word.length; at++) {
    if (!/[=:@]/.test(word[at]!)) continue
    paths.add(word.slice(at + 1).replace(/^@/, ''))
    if (word[at] === ':') paths.add(word.slice(0, at))
  }
  return [...paths].filter((path) => path && path !== '-')
}

/** The folder that a path pattern is matched in; undefined if the word is no pattern. */
function patternFolder(word: string): string | undefined {
  if (/^:[(!^/]/.test(word)) return '.'
  // `HEAD@{1}` and `HEAD^{tree}` are revisions.
  const wild = word.search(/[*?[\\]|(?<![@^])\{|[!+@]\(/)
  if (wild < 0) return undefined
  const slash = word.lastIndexOf('/', wild)
  return slash > 0 ? word.slice(0, slash) : '.'
}

/** `example.com:x` names another machine for git. */
const isHost = (word: string): boolean => /^(?:[^/:]+@)?[^/:@]+:(?!\/\/)/.test(word)

const hostOf = (word: string): string => word.slice(0, word.indexOf(':')).replace(/^.*@/, '')
