import { statSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { homeDirectory } from './home.ts'
import { realOf, readSmallFile } from './read-file.ts'

/** Settings with the names of files that git only reads, and of branches: `refs/heads/main` is no file that git obeys. */
const HARMLESS = new Set([
  ...['blame.ignorerevsfile', 'commit.template', 'core.excludesfile'],
  ...['branch.merge', 'remote.fetch', 'remote.push'],
])
const HOOKS = 'core.hookspath'
const INCLUDED = new Set(['include.path', 'includeif.path'])

const MAX_FILES = 100

/**
 * The files that settings of a repository, and the user's own, name in its working tree: scripts that git runs, other settings, and the
 * folder of hooks. Rather too much than too little: any word of a setting that looks like a path may be one. If there are too many
 * settings, it is the whole working tree.
 */
export function obeyedFiles(gitFolder: string, workTree: string): readonly string[] {
  try {
    const found = new Set<string>()
    for (const { paths } of settingsOf(gitFolder, workTree))
      for (const path of paths) for (const each of [path, realOf(path)]) found.add(each)
    return [...found].filter((path) => path.startsWith(`${workTree}/`))
  } catch {
    return [workTree]
  }
}

/** Whether no setting keeps `git diff` from noticing that a file is the same although the system reports something else about it. */
export function refreshesIndex(gitFolder: string, workTree: string): boolean {
  try {
    for (const { key } of settingsOf(gitFolder, workTree))
      if (key === 'diff.autorefreshindex') return false
    return Object.keys(process.env).every((name) => !name.startsWith('GIT_CONFIG'))
  } catch {
    return false
  }
}

/** Where settings for all users may be. */
const SYSTEM = ['/etc', '/usr/etc', '/usr/local/etc', '/opt/homebrew/etc', '/opt/local/etc'].map(
  (folder) => `${folder}/gitconfig`,
)

/** The git folder that a linked working tree shares with others; otherwise the same one. */
export function commonFolderOf(gitFolder: string): string {
  return resolve(gitFolder, (readSmallFile(`${gitFolder}/commondir`) ?? '').trim())
}

/** The settings of a repository, the user's own and those of the system, with the paths they may name. Throws if there are too many. */
function* settingsOf(
  gitFolder: string,
  workTree: string,
): Iterable<Setting & { readonly paths: readonly string[] }> {
  const common = commonFolderOf(gitFolder)
  const home = homeDirectory(process.env)
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = process.env
  const own = [
    `${XDG_CONFIG_HOME || `${home}/.config`}/git/config`,
    GIT_CONFIG_GLOBAL,
    GIT_CONFIG_SYSTEM,
  ]
  const files = new Set([
    ...[gitFolder, common].flatMap((at) => [`${at}/config`, `${at}/config.worktree`]),
    ...[`${home}/.gitconfig`, ...own.flatMap((file) => file || []), ...SYSTEM],
  ])
  // Files added meanwhile are visited too.
  for (const file of files) {
    if (files.size > MAX_FILES) throw new Error('Too many settings of git.')
    for (const setting of settingsIn(readSmallFile(file) ?? '')) {
      const { key, value } = setting
      const paths = pathsOf(key, value, { workTree, folder: dirname(file), home })
      if (INCLUDED.has(key)) for (const path of paths) files.add(path)
      yield { ...setting, paths }
    }
  }
}

/** The paths that a setting may name. Programs start at the top of the working tree; settings name others from where they are. */
function pathsOf(
  key: string,
  value: string,
  from: { readonly workTree: string; readonly folder: string; readonly home: string },
): string[] {
  // `git NAME` needs approval if it is not one of git's own commands.
  if (HARMLESS.has(key) || key.startsWith('alias.')) return []
  const at = (word: string): string[] =>
    word.startsWith('~/')
      ? [resolve(from.home, word.slice(2))]
      : [resolve(from.workTree, word), resolve(from.folder, word)]
  if (key === HOOKS || INCLUDED.has(key)) return at(value)
  // A program without `/` in its name is not looked for here. Folders are arguments, and not run.
  return [value, ...value.split(/['"]/), ...value.split(/[\s'"=;|&(){}<>,:!]+/)]
    .filter((word) => /[./]/.test(word))
    .flatMap(at)
    .filter((path) => !isFolder(path))
}

interface Setting {
  /** Its section without the name in quotes, and its own name, in lower case: `filter.clean`. */
  readonly key: string
  readonly value: string
}

function settingsIn(config: string): Setting[] {
  let section = ''
  const lines = config.replace(/\\\r?\n/g, '').split('\n')
  return lines.flatMap((line) => {
    let rest = line.trim()
    if (rest.startsWith('[')) {
      const end = `${rest}]`.indexOf(']')
      const [name = ''] = rest
        .slice(1, end)
        .trim()
        .split(/[\s".]/)
      section = name.toLowerCase()
      rest = rest.slice(end + 1)
    }
    const equals = `${rest}=`.indexOf('=')
    const name = rest.slice(0, equals).trim().toLowerCase()
    const value = rest.slice(equals + 1).replace(/\\(.)|"/g, '$1')
    return [{ key: `${section}.${name}`, value: value.trim() }]
  })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}

/** Settings of a repository that cannot make git run anything, by section; with what their values must look like. */
const PLAIN: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  core: {
    repositoryformatversion: /^0$/,
    filemode: /^(?:true|false)$/,
    bare: /^false$/,
    logallrefupdates: /^(?:true|false)$/,
    ignorecase: /^(?:true|false)$/,
    precomposeunicode: /^(?:true|false)$/,
    symlinks: /^(?:true|false)$/,
  },
  remote: {
    url: /^(?:https:\/\/|ssh:\/\/|git@)[\w.][\w.:/~@-]*$/,
    fetch: /^\+?refs\/[\w./*-]+:refs\/[\w./*-]+$/,
  },
  branch: { remote: /^[\w.-]+$/, merge: /^refs\/[\w./-]+$/ },
  user: { name: /^/, email: /^/ },
  submodule: { active: /^(?:true|false)$/, url: /^(?:https:\/\/|ssh:\/\/|git@)[\w.][\w.:/~@-]*$/ },
}

const SECTION = /^\[(\w+)(?: "[^"\\]*")?\]$/
const SETTING = /^(\w+) = ([^\\"#;]*)$/

/**
 * Whether nothing in a repository can make git run a program: it has no hooks, and only settings that are listed here. Whatever
 * is written in an unusual way is not understood.
 */
export function hasPlainSettings(gitFolder: string, workTree: string): boolean {
  try {
    if (exists(`${gitFolder}/commondir`)) return false
    if (exists(`${gitFolder}/config.worktree`)) return false
    const hooks = exists(`${gitFolder}/hooks`) ? readdirSync(`${gitFolder}/hooks`) : []
    if (!hooks.every((name) => name.endsWith('.sample'))) return false
    const config = readSmallFile(`${gitFolder}/config`)
    return config !== undefined && isPlain(config, gitFolder, workTree)
  } catch {
    return false
  }
}

function isPlain(config: string, gitFolder: string, workTree: string): boolean {
  let section = ''
  return config.split('\n').every((written) => {
    const line = written.trim()
    if (line === '') return true
    const header = SECTION.exec(line)
    if (header) {
      section = header[1]!.toLowerCase()
      return Object.hasOwn(PLAIN, section)
    }
    const [, name = '', value = ''] = SETTING.exec(line) ?? []
    const key = name.toLowerCase()
    // A submodule says where its files are.
    if (section === 'core' && key === 'worktree') return resolve(gitFolder, value) === workTree
    const known = PLAIN[section]
    return known !== undefined && Object.hasOwn(known, key) && known[key]!.test(value)
  })
}

/** Any problem but that there is nothing is thrown. */
const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
