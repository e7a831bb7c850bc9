import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import {
  absolutePathFolders,
  isProgram,
  isInAny,
  pathWithoutRoots,
  realPathOrSelf,
} from '../paths/programs.ts'
import type { ServerDefinition } from './definition.ts'

export interface FindProgramOptions {
  readonly path: string
  /** The workspace: what lies in it came with a repository, and is no program of ours. */
  readonly roots: readonly string[]
  /** A person trusts what came with it. */
  readonly trusted: boolean
}

/** How a server is started; or why it is not. */
export type FindProgramResult =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly problem: string }

/** Looks on the PATH, then among the packages that were installed with us. */
export function findProgram(
  definition: ServerDefinition,
  options: FindProgramOptions,
): FindProgramResult {
  const [name = '', ...args] = definition.command
  if (definition.runsProject && !options.trusted)
    return { problem: `${definition.name} runs what the project brings: trust the folder first` }
  const problems: string[] = []
  const places = isAbsolute(name)
    ? [name]
    : name.includes('/')
      ? []
      : absolutePathFolders(options.path).map((folder) => join(folder, name))
  for (const program of places.filter(isProgram)) {
    const problem = distrustReason(program, options) ?? tooOldReason(program, definition.package)
    if (problem === undefined) return { program, args }
    problems.push(`${program} ${problem}`)
  }
  const installed = definition.package && findInstalled(definition.package, name)
  if (installed) return { program: process.execPath, args: [installed, ...args] }
  return { problem: problems.join('; ') || `${name} is not on the PATH` }
}

/** The PATH as a server gets it: it starts programs by name too. */
export function safePath({ path, roots, trusted }: FindProgramOptions): string {
  return pathWithoutRoots(path, trusted ? [] : roots)
}

function distrustReason(
  program: string,
  { roots, trusted }: Pick<FindProgramOptions, 'roots' | 'trusted'>,
): string | undefined {
  return trusted || !isInAny(program, roots)
    ? undefined
    : 'lies in the workspace, which is not trusted'
}

type Package = NonNullable<ServerDefinition['package']>

/** A program of that package's older version. What is no such package is tried. */
function tooOldReason(program: string, wanted: Package | undefined): string | undefined {
  if (wanted?.since === undefined) return undefined
  const manifest = join(dirname(dirname(realPathOrSelf(program))), 'package.json')
  const { name, version = '' } = readManifest(manifest)
  if (name !== wanted.name || Number.parseInt(version, 10) >= wanted.since) return undefined
  return `is ${wanted.name} ${version}, and ${wanted.since} or later is needed`
}

/** Whoever could change what is installed beside us could change us. */
function findInstalled({ name, since = 0 }: Package, program: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const { bin, version = '' } = readManifest(manifest)
    const file = typeof bin === 'string' ? bin : bin?.[program]
    if (file === undefined || Number.parseInt(version, 10) < since) return undefined
    return join(dirname(manifest), file)
  } catch {
    // It is not installed.
    return undefined
  }
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly bin?: string | Readonly<Record<string, string>>
}

function readManifest(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch {
    // There is none: it is no package of npm.
    return {}
  }
}
