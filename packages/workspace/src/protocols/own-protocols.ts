// Folder: Protocols from files.
import { resolve } from 'node:path'
import { protocols, type Examples, type Protocol } from '@toolglot/core'
import { protocolProblem } from '@toolglot/core/check'
import { importFile } from '../code/import-file.ts'
import { loadCode, realFile, refuseUntrusted } from '../code/own-file.ts'
import type { Settings } from '../settings/merge-settings.ts'
import type { UserDirectories } from '../user-directories.ts'
import type { Workspace } from '../workspace.ts'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** A user's own protocol, and its file. */
interface OwnProtocol {
  readonly file: string
  readonly protocol: Protocol
  readonly examples: Examples
}

export type { OwnProtocol }

/** Loads the protocols in a file selected by the user. */
export async function protocolsOfFile(
  path: string,
  workspace: Pick<Workspace, 'folder' | 'directories'>,
): Promise<OwnProtocol[]> {
  const file = trustedFile(path, workspace)
  return protocolsIn(await importFile(file), file)
}

/** Loads the protocols in files listed in settings. */
export async function loadOwnProtocols(
  settings: Pick<Settings, 'protocols'>,
  directories: UserDirectories,
): Promise<OwnProtocol[]> {
  const all: OwnProtocol[] = []
  for (const named of settings.protocols) {
    const { file, exported } = await loadCode(named, directories)
    all.push(...protocolsIn(exported, file))
  }
  return all
}

/** The real path of a file selected by the user, if loading its code is allowed. */
function trustedFile(
  path: string,
  { folder, directories }: Pick<Workspace, 'folder' | 'directories'>,
): string {
  const file = realFile(resolve(folder, path))
  refuseUntrusted(file, path, directories)
  return file
}

/**
 * The protocols exported by a file: its default export and all other exports that are protocols.
 */
export function protocolsIn(
  exported: Readonly<Record<string, unknown>>,
  file: string,
): OwnProtocol[] {
  const values = [...new Set(Object.values(exported))].map((value) => wholeOf(value, exported))
  const found = values.filter((value) => protocolProblem(value) === undefined) as Protocol[]
  if (found.length === 0) {
    const chosen = wholeOf(exported['default'], exported)
    const problem = 'default' in exported ? protocolProblem(chosen) : undefined
    throw complain(file, `exports no protocol: ${problem ?? exportsOf(exported)}`)
  }
  for (const [index, { id }] of found.entries()) {
    if (Object.hasOwn(protocols, id) || id === 'auto')
      throw complain(file, `uses the id ${quote(id)}, which is reserved`)
    if (found.findIndex((protocol) => protocol.id === id) !== index)
      throw complain(file, `defines the protocol ${quote(id)} twice`)
  }
  return found.map((protocol) => ({ file, protocol, examples: examplesOf(protocol, exported) }))
}

/** The family and prompt of a protocol may be separate exports, as for the built-in protocols. */
function wholeOf(value: unknown, { family, prompt }: Readonly<Record<string, unknown>>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isFamily = typeof family === 'object' && family !== null
  const beside = {
    ...(isFamily && family),
    ...(typeof prompt === 'function' && { prompt }),
  }
  const isWhole = Object.keys(beside).every((key) => key in value)
  return isWhole ? value : { ...beside, ...value }
}

/** Examples are separate exports, or part of the protocol if a file contains several. */
function examplesOf(protocol: Protocol, exported: Readonly<Record<string, unknown>>): Examples {
  const own = (protocol as { examples?: unknown }).examples
  const beside = exported['examples']
  return { ...(isExamples(own) && own), ...(isExamples(beside) && beside) }
}

function isExamples(value: unknown): value is Examples {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (example: { wire?: unknown } | null) => typeof example?.wire === 'string',
    )
  )
}

function exportsOf(exported: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exported)
  return names.length === 0 ? 'it has no exports' : `it exports only ${names.map(quote).join(', ')}`
}

function complain(file: string, problem: string): UserError {
  return new UserError(
    'data',
    `${quote(file)} ${problem}. After fixing it, test it with: toolglot protocols --check`,
  )
}
