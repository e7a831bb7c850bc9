import type { FileOperation, Operation } from '../decide/operation.ts'
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
import { OUTPUT_FOLDERS } from './same-repository.ts'

/** Facts that distinguish commits, files in commits and paths. */
interface ObjectWords {
  /** The index of `--`, after which all words are paths, or -1 if it is missing. */
  readonly mark: number
  /** Returns true if a path exists. */
  readonly exists: (path: string) => boolean
}

/** True if a word is an object's hash, which may be any file or folder. */
const namesHash = (operands: readonly Operand[], { mark }: Pick<ObjectWords, 'mark'>): boolean =>
  operands.some(
    ({ value, at }) =>
      (mark < 0 || at < mark) && value?.split(/\.{2,3}/).some((word) => HASH.test(word)),
  )

/** `v1-2-gab12` is `ab12`; `ab12~` and `ab12^` are commits. */
const HASH = /^\^?(?:.*-g)?[0-9a-f]{4,64}(?:\^\{|:|$)/i

const SSH_URL = /^(?:ssh|git\+ssh|ssh\+git):\/\/(?:[^/]*@)?(?<host>\[[^\]/]*\]|[^/:]+)/i

const SCP_LIKE = /^(?:[^/:]*@)?(?:\[(?<inside>[^\]/]+)\]|(?<host>[^/:]*)):/

/** The context of a command's arguments. */
export interface ArgumentContext extends ObjectWords {
  /** Set if the command shows files of earlier commits: always, or depending on its operands. */
  readonly past: Usage['past']
  /**
   * True if the command does more than its name suggests, so it may write the files in its words.
   */
  readonly reaches: boolean
  /** True if the command reads from a pipe. */
  readonly piped: boolean
  /** True if other commands of the text may change which files exist. */
  readonly isStale: boolean
  readonly isFolder: (path: string) => boolean
  /** Returns true if a path is itself a link. */
  readonly isLink: (path: string) => boolean
  /**
   * For git, the top folders of its repositories. Without a path, or with a path in a commit, it
   * starts there.
   */
  readonly tops: PossibleFolders
  /** The folders of the workspace. */
  readonly roots: readonly string[]
  /**
   * Returns the folder in which the word at this index is expanded to file names when the command
   * runs, if any.
   */
  readonly folderOf: (at: number) => string | undefined
}

/** The files and pages in a command's arguments, according to its table. */
export function argumentOperations(
  name: string,
  given: readonly Argument[],
  usage: Usage,
  folders: PossibleFolders,
  {
    past: earlier,
    reaches,
    piped,
    mark,
    isStale,
    exists,
    isLink,
    isFolder,
    tops,
    roots,
    folderOf,
  }: ArgumentContext,
): Operation[] {
  const found: Operation[] = []
  const only = namesUsed(given, usage)
  const past =
    earlier === 'operands' ? namesPast(given, usage, { mark, exists }) : earlier === 'always'
  const sinceHead = past ? comparedWithHead(given, usage, { mark, exists }) : undefined
  const because = (value: string) => `${name} ${value}`
  const everywhere = tops.length > 0 ? [...new Set([...folders, ...tops])] : folders
  const file = (
    kind: FileOperation['kind'],
    path: string,
    implied = usage.implied,
    more: Partial<FileOperation> = {},
  ) => {
    // Paths in a commit are relative to the top folder: `git show HEAD:.env`.
    for (const cwd of kind === 'read' ? everywhere : folders)
      found.push({
        kind,
        path,
        cwd,
        because: because(path),
        implied: implied || undefined,
        removes: usage.removes && kind === 'write' ? true : undefined,
        only: only && (kind === 'read' || more.matching) ? only : undefined,
        ...(past && kind === 'read' && { past, sinceHead }),
        tracked: usage.tracked && !past && kind === 'read' ? true : undefined,
        data: (usage.input === 'data' && kind === 'read') || undefined,
        ...more,
      })
  }
  /** Adds a write of git in a folder. The path may also be relative to the top folder. */
  const overwrite = (path: string, because: string, from: Partial<FileOperation>): void => {
    for (const cwd of everywhere)
      found.push({ kind: 'write', path, cwd, because, implied: true, matching: true, ...from })
  }
  const operands = given.filter((argument) => argument.type === 'operand')
  const namesCommit = valuesOf(given, usage.files?.mention, usage).length > 0
  const isFromCommit =
    namesCommit || operands.some(({ at }, index) => (mark < 0 ? index > 0 : at < mark))
  /**
   * For a path that git checks out from a commit. It may be a folder there, even if nothing exists
   * now.
   */
  const fromCommit = (at: number): Partial<FileOperation> => ({
    past: true,
    formerly: namesCommit || at !== operands[0]?.at || undefined,
  })
  const { folder: whole } = usage.operands ?? {}
  const showsContents = !Array.isArray(whole) || whole.some((each) => isCase(given, each, usage))
  const summarizes = hasOption(given, usage.summarizesWith, usage)
  const touch = (as: OperandRole, value: string | undefined, at = -1): void => {
    if (value === undefined || value === '' || as === 'text' || as === 'script') return
    if (as === 'address') return page(value)
    if (as === 'remote') {
      const host = sshHostOf(value)
      // The address makes git run ssh with the user's keys, which a rule for the program does not
      // imply.
      if (host !== undefined) page(`https://${host}/`, false)
      if (host !== undefined && !exists(value)) return
      // A fetch from a repository in a folder makes all of its content readable. A plain word is
      // the name of a remote, if such a remote exists.
      const isPath = /^[./~]/.test(value) || (isStale && /[^\w-]/.test(value)) || exists(value)
      return isPath ? file('read', value, false) : touch(M, value)
    }
    if (as === 'write' && tops.length > 0) {
      // The files checked out in a folder are tracked by git, or come from a commit.
      const from = usage.fills && (isFromCommit ? fromCommit(at) : { tracked: true as const })
      const folder = patternFolder(value) ?? (usage.fills ? value : undefined)
      if (folder !== undefined) overwrite(folder, because(value), from || {})
    }
    if (as === 'pathspec' && !showsContents)
      return mentionedPaths(value).forEach((path) => file('list', path, true))
    if (as === 'pathspec') {
      const folder = patternFolder(value)
      if (folder !== undefined) file('read', folder, true)
      // After `--`, the word may also be a path that no longer exists.
      if (past && mark >= 0 && at > mark) file('read', value, true, { formerly: true })
      return touch(M, value)
    }
    if (as === 'target')
      return isFolder(value) ? undefined : file('write', value, true, { possible: true })
    // A link is not followed, so only its name is used.
    if (as === 'entry')
      return file('list', isLink(value) || (summarizes && isName(value)) ? parentOf(value) : value)
    if (as === 'move') {
      // After a move, rules for the old path no longer cover the content.
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
  const page = (address: string, implied = true) => {
    if (/^file:/i.test(address))
      return file('read', address.replace(/^file:(?:\/\/[^/]*)?/i, ''), false)
    const url = ADDRESS.test(address) ? address : `http://${address}`
    const follows = hasOption(given, usage.redirects, usage) && { follows: true as const }
    const is = { implied: implied || undefined, ...follows }
    found.push({ kind: 'fetch', url, because: because(address), ...is })
  }

  const isForWriting =
    usage.writesUnless !== undefined && !hasOption(given, usage.writesUnless, usage)
  const written = isForWriting || hasOption(given, usage.writesWith, usage)
  /** Adds a write of a file, or of the files in a folder, which may be written as `./...`. */
  const change = (path: string, implied = isForWriting || usage.implied): void =>
    file('write', path.replace(/\/\.\.\.$/, ''), implied, { matching: true })
  const special = usage.operands && !hasOption(given, usage.operands.unless, usage)
  const suffixes = written ? valuesOf(given, usage.writesWith, usage) : []
  const lists = hasOption(given, usage.listsWith, usage)
  operands.forEach(({ value, at }, index) => {
    const isLikeFirst = hasOption(given, usage.operands?.allLikeFirst, usage)
    const place = isLikeFirst ? 0 : index
    const role = touchOf(usage.operands ?? { rest: M }, place, operands.length, special ?? false)
    const as = role === 'read' && lists ? 'list' : role
    const named = assigned(value, usage)
    const folder = value === undefined && as !== 'list' && as !== 'text' ? folderOf(at) : undefined
    if (folder !== undefined) file('read', folder, true)
    else if (named) touch(named.as, named.value)
    else if (usage.copies && as === 'write' && value !== undefined && isFolder(value))
      // Only the folder's content is written.
      file('write', value, true)
    else if (as === 'read' && written && value && value !== '-') change(value)
    else touch(as, value, at)
    if (written && value && (as === M || as === 'pathspec')) change(value, true)
    if (written && value && as === 'read') for (const each of suffixes) file('write', value + each)
  })
  const target = usage.copies && operands.length > 1 ? operands.at(-1)?.value : undefined
  const brings = hasOption(given, usage.brings, usage)
  for (const { value } of target === undefined ? [] : operands.slice(0, -1)) {
    if (value === undefined) continue
    const name = value.replace(/\/+$/, '').replace(/^.*\//s, '')
    // A folder is moved together with its content.
    const isWhole = brings || usage.operands?.rest === 'move'
    for (const path of isWhole ? [`${target}/${name}`, target!] : [`${target}/${name}`]) {
      if (path !== target) file('write', path)
      if (isWhole)
        file('write', path, usage.implied || (path === target && isFolder(path)), { brings: value })
    }
  }
  if (usage.clones) {
    const isBare = hasOption(given, '--bare --mirror', usage)
    const path = clonedFolder(operands, isBare)
    for (const cwd of folders)
      found.push({
        ...{ kind: 'write', path, cwd, because: because(path ?? '…') },
        ...{ implied: true, anything: true },
      })
  }
  const own = operands.slice(usage.operands?.first && special ? 1 : 0)
  const words = { mark, exists }
  if (takesFolder(given, own, usage, { piped, ...words })) {
    const isImplied = usage.operands?.rest === 'pathspec' || usage.implied
    // Linters read only files of certain types.
    const more = usage.sources ? { anywhere: OWN_SOURCES } : {}
    file(lists ? 'list' : 'read', '.', isImplied, more)
    if (written) file('write', '.', true, { matching: true, ...more })
  }
  if (usage.followsImports && !hasOption(given, ABOUT, usage))
    for (const root of roots)
      file('read', root, true, { because: `${name} follows imports`, anywhere: OWN_SOURCES })
  if (usage.discards && isCase(given, usage.discards, usage))
    overwrite('.', because('.'), { tracked: true })
  const hashes = usage.operands?.hashes
  if (hashes) {
    const objects = [...own, ...given.flatMap((argument) => asOperand(argument, usage))]
    if (objects.length >= (hashes === 'beside' ? 2 : 1) && namesHash(objects, words))
      file('read', '.', true)
  }
  for (const argument of given) {
    if (argument.type !== 'option' || argument.value === undefined) continue
    const has = (words: Words | undefined) => listed(words, argument.name, usage)
    const plain = plainOf(usage).options.get(argument.name)
    if (has(usage.files?.read)) touch('read', argument.value)
    else if (has(usage.files?.write)) touch('write', argument.value)
    else if (has(usage.files?.remote)) touch('remote', argument.value)
    else if (has(usage.files?.mention)) touch(M, argument.value)
    else if ((!plain || plain.takes === 'nothing') && usage.operands?.rest !== 'text')
      touch(M, argument.value)
  }
  return found
}

const OWN_SOURCES = { without: OUTPUT_FOLDERS }

/** Options that only print information about the program. */
const ABOUT = '--version -V --help -h'

/**
 * The folder that git clones into. Without a second operand, it is named after the repository.
 * Undefined if unclear.
 */
function clonedFolder([from, to]: readonly Operand[], isBare: boolean): string | undefined {
  if (to) return to.value
  const names = from?.value?.split(/[/:\\]/) ?? []
  while (names.at(-1) === '' || names.at(-1) === '.git') names.pop()
  const plain = names.at(-1)?.replace(/\.(?:git|bundle)$/, '') ?? ''
  // Git also replaces spaces and drops the number of a port.
  if (!/^[\w.-]+$/.test(plain) || !/[a-z]/i.test(plain)) return undefined
  return isBare ? `${plain}.git` : plain
}

/**
 * True if an operand of a git command may refer to an earlier commit. Git refuses a word that may
 * also be a path.
 */
function namesPast(
  given: readonly Argument[],
  usage: Usage,
  { mark, exists }: ObjectWords,
): boolean {
  if (hasOption(given, usage.pastWith, usage)) return true
  const special = usage.operands?.first && !hasOption(given, usage.operands.unless, usage)
  const operands = given.filter(({ type }) => type === 'operand').slice(special ? 1 : 0)
  return operands.some(({ at, value }) =>
    mark < 0 ? value === undefined || !exists(value) : at < mark,
  )
}

/**
 * Set if a git command shows only the differences between the last commit and the index (`git diff
 * --cached`) or the files (`git diff HEAD`). Undefined if it may show more.
 */
function comparedWithHead(
  given: readonly Argument[],
  usage: Usage,
  { mark, exists }: ObjectWords,
): FileOperation['sinceHead'] {
  if (usage.compares === undefined) return undefined
  const isPlain = given.every((argument) => {
    if (argument.type === 'option')
      return entries(usage.compares).some(({ name }) => name === argument.name)
    const { at, value } = argument
    return value === 'HEAD' || (value !== undefined && (mark < 0 ? exists(value) : at > mark))
  })
  if (!isPlain) return undefined
  return hasOption(given, '--cached --staged', usage) ? 'index' : 'files'
}

/**
 * Patterns for the names of the files that a command uses in a folder, or undefined if it may use
 * any.
 */
function namesUsed(given: readonly Argument[], usage: Usage): readonly string[] | undefined {
  if (usage.sources) return list(usage.sources)
  if (!usage.only || hasOption(given, usage.onlyUnless, usage)) return undefined
  const patterns = valuesOf(given, usage.only, usage).filter((each) => !each.startsWith('!'))
  return patterns.length > 0 && patterns.every((each) => /^\*\.[\w.-]+$/.test(each))
    ? patterns
    : undefined
}

function valuesOf(given: readonly Argument[], options: Words | undefined, usage: Usage): string[] {
  return given.flatMap((argument) =>
    argument.type === 'option' &&
    argument.value !== undefined &&
    listed(options, argument.name, usage)
      ? [argument.value]
      : [],
  )
}

const M = 'mention' satisfies OperandRole

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i

function touchOf(operands: Operands, index: number, count: number, special: boolean): OperandRole {
  if (index === 0 && operands.first && special) return operands.first
  if (index === count - 1 && index > 0 && operands.last) return operands.last
  return operands.rest
}

/** True if a command uses the whole folder it runs in. */
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

/** The value of an option that has the same meaning as an operand. */
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

/**
 * The paths that a word may contain: the word itself, and the text before or after `:`, `=` or `@`,
 * as in `HEAD:.env`, `if=.env` and `:0:.env`.
 */
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

/** The folder in which a path pattern is matched, or undefined if the word is not a pattern. */
function patternFolder(word: string): string | undefined {
  if (/^:[(!^/]/.test(word)) return '.'
  // `HEAD@{1}` and `HEAD^{tree}` are revisions.
  const wild = word.search(/[*?[\\]|(?<![@^])\{|[!+@]\(/)
  if (wild < 0) return undefined
  const slash = word.lastIndexOf('/', wild)
  return slash > 0 ? word.slice(0, slash) : '.'
}

/** True if a path ends with the name of an entry in a folder. */
const isName = (path: string): boolean => !/(?:^|\/)\.{0,2}$/.test(path)

/** The folder that contains a file. */
const parentOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.'

/**
 * The host that git connects to with ssh: that of `ssh://me@host/path`, or of `me@host:path`. To
 * git, a word with a colon before its first slash is such an address; `./a:b` is a path. Undefined
 * for other addresses and words.
 */
export function sshHostOf(word: string): string | undefined {
  const [url, scp] = [SSH_URL.exec(word)?.groups, SCP_LIKE.exec(word)?.groups]
  if (url) return url['host']
  if (!scp || /^[^:]*:\/\//.test(word)) return undefined
  const { inside, host } = scp
  if (inside === undefined) return host
  // Brackets may contain a name with a port, or an address with colons.
  return /:.*:/.test(inside) ? `[${inside}]` : inside.replace(/:.*$/, '').replace(/^.*@/, '')
}

/**
 * True if words refer to a commit without a path, so that all its files are shown. `HEAD:a` is one
 * file.
 */
function showsWhole(operands: readonly Operand[], { mark, exists }: ObjectWords): boolean {
  const isFile = ({ value }: Operand): boolean => value !== undefined && /:./.test(value)
  const isPath = (operand: Operand): boolean =>
    mark < 0
      ? operand.value !== undefined && !isFile(operand) && exists(operand.value)
      : operand.at > mark
  return !operands.some(isPath) && !(operands.length > 0 && operands.every(isFile))
}
