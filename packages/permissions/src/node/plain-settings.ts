import { readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readSmallFile } from './read-file.ts'

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
