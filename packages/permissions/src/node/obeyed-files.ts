import { statSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { homeDirectory } from './home.ts'
import { realOf, readSmallFile } from './read-file.ts'

/**
 * Settings whose values are branch names, such as `refs/heads/main`, or files that git reads only
 * as data. Nothing in these files makes git run a program.
 */
const HARMLESS = new Set([
  ...['blame.ignorerevsfile', 'commit.template', 'core.excludesfile'],
  ...['branch.merge', 'remote.fetch', 'remote.push'],
])
const HOOKS = 'core.hookspath'
const INCLUDED = new Set(['include.path', 'includeif.path'])

const MAX_FILES = 100

/**
 * The files in the working tree to which the settings of the repository and the user refer: scripts
 * that git runs, included settings, and the folder of hooks. Any word in a setting that looks like
 * a path may be such a file, so the list may be too long but should not be too short. If there are
 * too many settings, the result is the whole working tree.
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

/**
 * True if no setting prevents `git diff` from noticing that a file is unchanged when only its
 * metadata differs.
 */
export function refreshesIndex(gitFolder: string, workTree: string): boolean {
  try {
    for (const { key } of settingsOf(gitFolder, workTree))
      if (key === 'diff.autorefreshindex') return false
    return Object.keys(process.env).every((name) => !name.startsWith('GIT_CONFIG'))
  } catch {
    return false
  }
}

/** The possible folders of system-wide settings. */
const SYSTEM = ['/etc', '/usr/etc', '/usr/local/etc', '/opt/homebrew/etc', '/opt/local/etc'].map(
  (folder) => `${folder}/gitconfig`,
)

/** The git folder that a linked working tree shares with others; otherwise the same folder. */
export function commonFolderOf(gitFolder: string): string {
  return resolve(gitFolder, (readSmallFile(`${gitFolder}/commondir`) ?? '').trim())
}

/**
 * The settings of the repository, the user and the system, each with the paths it may refer to.
 * Throws if there are too many.
 */
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
  // The loop also visits files added while it runs.
  for (const file of files) {
    if (files.size > MAX_FILES) throw new Error('Too many git settings.')
    for (const setting of settingsIn(readSmallFile(file) ?? '')) {
      const { key, value } = setting
      const paths = pathsOf(key, value, { workTree, folder: dirname(file), home })
      if (INCLUDED.has(key)) for (const path of paths) files.add(path)
      yield { ...setting, paths }
    }
  }
}

/**
 * The paths that a setting may refer to. Programs start at the top of the working tree; other
 * settings files are relative to the current one.
 */
function pathsOf(
  key: string,
  value: string,
  from: { readonly workTree: string; readonly folder: string; readonly home: string },
): string[] {
  // `git NAME` needs approval unless it is one of git's built-in commands.
  if (HARMLESS.has(key) || key.startsWith('alias.')) return []
  const at = (word: string): string[] =>
    word.startsWith('~/')
      ? [resolve(from.home, word.slice(2))]
      : [resolve(from.workTree, word), resolve(from.folder, word)]
  if (key === HOOKS || INCLUDED.has(key)) return at(value)
  // A program without `/` in its name is not in the working tree. Folders are arguments, which
  // don't run.
  return [value, ...value.split(/['"]/), ...value.split(/[\s'"=;|&(){}<>,:!]+/)]
    .filter((word) => /[./]/.test(word))
    .flatMap(at)
    .filter((path) => !isFolder(path))
}

interface Setting {
  /** The section without its quoted name, and the setting's name, in lower case: `filter.clean`. */
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

/**
 * Repository settings that cannot make git run a program, by section, with the required form of
 * their values.
 */
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
 * True if nothing in a repository can make git run a program: it has no hooks, and only the
 * settings listed here. Any unusual notation counts as unknown.
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
    // A submodule's settings contain the path of its working tree.
    if (section === 'core' && key === 'worktree') return resolve(gitFolder, value) === workTree
    const known = PLAIN[section]
    return known !== undefined && Object.hasOwn(known, key) && known[key]!.test(value)
  })
}

/** Throws for any problem other than a missing path. */
const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
