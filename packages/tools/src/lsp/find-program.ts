import { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import {
  absolutePathFolders,
  isProgram,
  isInAny,
  pathWithoutRoots,
  realPathOrSelf,
} from '../paths/programs.ts'
import type { ServerDefinition } from './servers.ts'

/** The folders to search for a server. */
export interface FindProgramOptions {
  readonly path: string
  /** The workspace. A program in it came with a repository and is not trusted. */
  readonly roots: readonly string[]
  /** True if the user trusts the workspace. */
  readonly trusted: boolean
}

/** The command for starting a server, or the reason why it cannot be started. */
export type FindProgramResult =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly problem: string }

/** Finds a server on the PATH, then among the packages installed with us. */
export function findServerProgram(
  definition: ServerDefinition,
  options: FindProgramOptions,
): FindProgramResult {
  const [name = '', ...args] = definition.command
  if (definition.runsProject && !options.trusted)
    return {
      problem: `${definition.name} runs code of the project, so the folder must be trusted first`,
    }
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

/** The PATH for a server, which may also start programs by name. */
export function safePath({ path, roots, trusted }: FindProgramOptions): string {
  return pathWithoutRoots(path, trusted ? [] : roots)
}

function distrustReason(
  program: string,
  { roots, trusted }: Pick<FindProgramOptions, 'roots' | 'trusted'>,
): string | undefined {
  return trusted || !isInAny(program, roots)
    ? undefined
    : 'is in the workspace, which is not trusted'
}

type Package = NonNullable<ServerDefinition['package']>

/**
 * The reason why a program is too old. A program that is not from the package is assumed to work.
 */
function tooOldReason(program: string, wanted: Package | undefined): string | undefined {
  if (wanted?.since === undefined) return undefined
  const manifest = join(dirname(dirname(realPathOrSelf(program))), 'package.json')
  const { name, version = '' } = readManifest(manifest)
  if (name !== wanted.name || Number.parseInt(version, 10) >= wanted.since) return undefined
  return `is ${wanted.name} ${version}; version ${wanted.since} or later is required`
}

/** Packages installed next to us are as trustworthy as we are. */
function findInstalled({ name, since = 0 }: Package, program: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const { bin, version = '' } = readManifest(manifest)
    const file = typeof bin === 'string' ? bin : bin?.[program]
    if (file === undefined || Number.parseInt(version, 10) < since) return undefined
    return join(dirname(manifest), file)
  } catch {
    // The program is not installed.
    return undefined
  }
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly bin?: string | Readonly<Record<string, string>>
}

const MAX_MANIFEST_BYTES = 1 << 20

function readManifest(file: string): Manifest {
  try {
    return JSON.parse(readSmallFile(file, MAX_MANIFEST_BYTES) ?? '{}') as Manifest
  } catch {
    // Missing: it is not an npm package.
    return {}
  }
}
