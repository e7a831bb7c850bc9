import { statSync, type Stats } from 'node:fs'
import { readRules, type Rule, type RuleScope } from '@toolglot/permissions'
import { isInside, resolvePath } from '../inside.ts'
import { settingsKeys } from './keys/index.ts'
import type { SettingValue } from './keys/key.ts'
import type { Settings } from './merge-settings.ts'
import type { PathText } from './settings-file.ts'

/** The code files listed in a value, or undefined for other values. */
export function codeFilesOf({ key, value, source }: SettingValue): PathText[] | undefined {
  if (!settingsKeys.find((each) => each.key === key)?.namesCode) return undefined
  // Keys that refer to code contain lists of paths.
  return (value as readonly string[]).map((path) => ({ path, source }))
}

/**
 * The code files and folders in the command lines of programs started by settings, if they are in
 * the workspace or in the folder of the settings: `node scripts/server.js`. Files that a program
 * works on (`--db ./notes.db`) are not included.
 */
export function startedFiles(
  { key, value, source }: SettingValue,
  { home, folder }: StartedOptions,
): readonly StartedFile[] {
  const { root, scope } = source
  const base = root !== undefined && comesFromFolder(scope) ? root : folder
  if (base === undefined) return []
  const programs = settingsKeys.find((each) => each.key === key)?.starts?.(value) ?? []
  const found = programs.flatMap(({ words, cwd }) => {
    const from = cwd === undefined ? base : resolvePath(cwd, root ?? home, home)
    // `--import=./x.js`
    const named = words.flatMap((word, at) =>
      [word, word.slice(word.indexOf('=') + 1)].map((path) => ({ path, isFirst: at <= 1 })),
    )
    return named.flatMap(({ path, isFirst }) => {
      const file = resolvePath(path, from, home)
      const status = statusOf(file)
      if (!status || file === base || !isInside(file, base)) return []
      const isFolder = status.isDirectory()
      // `./start`, `node server`
      const isBare = isFirst && (isFolder || !/\.[^/.]+$/.test(file))
      return isBare || (CODE.test(file) && status.isFile()) ? [{ path: file, isFolder }] : []
    })
  })
  const known = new Map(found.map((each) => [each.path, each]))
  return [...known.values()]
}

/** Extensions of files that programs run. */
const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyz|rb|php|pl|lua|sh|bash|zsh|fish|ps1|bat|cmd|exe|jar|wasm|r|exs?)$/i

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined // The path does not exist or is invalid.
  }
}

/** A file in the command line of a started program. */
export interface StartedFile {
  readonly path: string
  readonly isFolder: boolean
}

interface StartedOptions {
  readonly home: string
  /** The workspace, for settings outside of any folder. */
  readonly folder?: string
}

const comesFromFolder = (scope: RuleScope): boolean => scope === 'project' || scope === 'local'

/**
 * Rules that require approval for every change of these files, because they run without a sandbox
 * the next time a workspace is opened.
 */
export function codeRules(
  { protocols, values }: Pick<Settings, 'protocols' | 'values'>,
  home: string,
  folder: string,
): readonly Rule[] {
  const named = [...protocols, ...values.flatMap((value) => codeFilesOf(value) ?? [])]
  const files = named.map(({ path, source }) => ({
    source,
    path: resolvePath(path, source.root ?? home, home),
    isFolder: false,
  }))
  const started = values.flatMap((value) =>
    startedFiles(value, { home, folder }).map((file) => ({ ...file, source: value.source })),
  )
  return [...files, ...started].flatMap(({ path, isFolder, source }) => {
    const pattern = `/${path.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`)}`
    return readRules({ ask: [`Edit(${pattern}${isFolder ? '/**' : ''})`] }, { source }).rules
  })
}
