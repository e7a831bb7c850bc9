import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleScope } from '@toolglot/permissions'
import { IGNORE_FILES } from '@toolglot/permissions/internal'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { isTracked } from '../git-index.ts'
import { readSettings, type ReadOptions } from './read-settings.ts'
import { type SettingsFile, MAX_SETTINGS_BYTES } from './settings-file.ts'
import { gitRoot, isInside, upwards } from '../inside.ts'
import type { UserDirectories } from '../user-directories.ts'
import { readIgnore } from './read-ignore.ts'

/** The places to search for settings. */
export interface FindSettingsOptions {
  readonly directories: UserDirectories
  /** Also read `permissions` in Claude Code's settings. Default: false. */
  readonly importClaude?: boolean | undefined
}

/**
 * Finds the settings that apply to a folder: the machine's, the user's, and those in the folder and
 * its parents, up to the root of its repository. Only reads them: no code in them is loaded or run.
 */
export function findSettings(folder: string, options: FindSettingsOptions): SettingsFile[] {
  const { directories, importClaude = false } = options
  const { home } = directories
  const repository = gitRoot(folder)
  const places = ownPlaces(directories)
  const claude: ReadOptions[] = [
    { file: join(home, '.claude', 'settings.json'), scope: 'user', root: home, foreign: true },
  ]
  const ignores: ReadOptions[] = []
  for (const root of upwards(folder)) {
    const own = (name: string, file: string, scope: RuleScope): ReadOptions => ({
      file: join(root, name, file),
      scope,
      root,
    })
    places.push(localSettings(root), own('.toolglot', 'settings.json', 'project'))
    claude.push(
      { ...own('.claude', 'settings.local.json', 'local'), foreign: true },
      { ...own('.claude', 'settings.json', 'project'), foreign: true },
    )
    ignores.push(...ignoreFiles(root))
    if (root === (repository ?? folder)) break
  }
  const asked = [...places, ...(importClaude ? claude.filter(isFirst) : [])]
  return [
    ...asked.flatMap((place) => readPlace(place, repository) ?? []),
    ...places.flatMap(refuseYaml),
    ...ignores.flatMap((place) => readPlace(place, repository, readIgnore) ?? []),
  ]
}

/** Finds only settings outside of folders: the machine's and the user's. */
export function findOwnSettings(directories: UserDirectories): SettingsFile[] {
  const places = ownPlaces(directories)
  return [
    ...places.flatMap((place) => readPlace(place, undefined) ?? []),
    ...places.flatMap(refuseYaml),
  ]
}

function ownPlaces({ home, config, managed }: UserDirectories): ReadOptions[] {
  return [
    { file: join(managed, 'settings.json'), scope: 'managed', root: '/' },
    { file: join(config, 'settings.json'), scope: 'user', root: home },
  ]
}

/** A folder's local settings. */
export function localSettings(root: string): ReadOptions {
  return { file: join(root, '.toolglot', 'settings.local.json'), scope: 'local', root }
}

/** Reads the ignore files of a folder. */
export function findIgnores(root: string): SettingsFile[] {
  return ignoreFiles(root).flatMap((place) => readPlace(place, undefined, readIgnore) ?? [])
}

function ignoreFiles(root: string): ReadOptions[] {
  return IGNORE_FILES.map((name) => ({ file: join(root, name), scope: 'project', root }))
}

/** In the home folder, the folder's file is the same as the user's own. */
function isFirst({ file }: ReadOptions, index: number, all: readonly ReadOptions[]): boolean {
  return all.findIndex((place) => place.file === file) === index
}

/**
 * YAML is read only if the user selects the file. A YAML file in any other place is an error,
 * because its rules would seem to have an effect.
 */
function refuseYaml(place: ReadOptions): SettingsFile[] {
  return ['.yaml', '.yml']
    .map((ending) => place.file.replace(/\.json$/, ending))
    .filter((file) => existsSync(file))
    .map((file) => broken({ ...place, file }, 'YAML is not read here: write it as JSON'))
}

/** Reads a settings file selected by the user, such as rules in YAML. */
export async function readSettingsFile(
  file: string,
  { root }: { readonly root: string },
): Promise<SettingsFile> {
  const isYaml = /\.ya?ml$/i.test(file)
  const place: ReadOptions = {
    file,
    scope: 'cli',
    root,
    // Loaded on demand, because it is rarely needed and loads slower than all other modules.
    outline: isYaml ? (await import('./read-yaml.ts')).readYaml : undefined,
  }
  return readPlace(place, undefined) ?? broken(place, 'there is no such file')
}

function readPlace(
  place: ReadOptions,
  repository: string | undefined,
  read: (text: string, options: ReadOptions) => SettingsFile = readSettings,
): SettingsFile | undefined {
  const { file, root } = place
  const isInFolder = place.scope === 'project' || place.scope === 'local'
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })) return undefined
    const real = realpathSync.native(file)
    if (isInFolder && !isInside(real, realpathSync.native(root)))
      return broken(place, 'it is a link out of the folder')
    const content = readTextFile(real, MAX_SETTINGS_BYTES)
    if ('missing' in content) return undefined
    if ('reason' in content) return broken(place, content.reason)

    // A file tracked by the repository belongs to the project, regardless of its name.
    const isProject =
      place.scope === 'local' &&
      repository !== undefined &&
      [file, real].some((path) => isTracked(path, repository))
    return read(content.text, isProject ? { ...place, scope: 'project' } : place)
  } catch (error) {
    // A dangling or circular link, or an unreadable folder.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return undefined
    return broken(place, `it cannot be read (${code ?? String(error)})`)
  }
}

function broken({ file, scope }: ReadOptions, reason: string): SettingsFile {
  return {
    file,
    scope,
    rules: [],
    roots: [],
    protocols: [],
    values: [],
    problems: [{ file, reason }],
    warnings: [],
  }
}
