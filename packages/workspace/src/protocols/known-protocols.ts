import { protocols, readProtocols, type Protocol, protocolFor } from '@toolglot/core'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'
import type { Workspace } from '../workspace.ts'
import { protocolsOfFile, type OwnProtocol } from './own-protocols.ts'

/** The protocols available in a workspace. */
export interface KnownProtocols {
  /** The user's own protocols. */
  readonly own: readonly Protocol[]
  /**
   * The protocols to parse if none is selected: the user's own and all built-in ones. Undefined if
   * the user has no protocols.
   */
  readonly all?: readonly Protocol[]
}

/** The protocols for a list of names. */
export interface ResolvedProtocols {
  readonly ids: readonly string[]
  /** The protocols to which the ids can refer. */
  readonly known: KnownProtocols
  /** True if protocols from settings were needed. */
  readonly usesSettings: boolean
}

/**
 * Resolves names of protocols, which are ids or files, to the ids and the protocols to which they
 * can refer. Loads only these.
 */
export async function resolveProtocols(
  named: readonly string[],
  workspace: Workspace,
): Promise<ResolvedProtocols> {
  const fromFiles: OwnProtocol[] = []
  for (const file of named.filter(isProtocolFile))
    fromFiles.push(...(await protocolsOfFile(file, workspace)))
  const ids = [
    ...named.filter((name) => !isProtocolFile(name)),
    ...fromFiles.map(({ protocol }) => protocol.id),
  ]
  const usesSettings =
    ids.length === 0 || !named.every((name) => isProtocolFile(name) || isBuiltIn(name))
  const fromSettings = usesSettings ? await workspace.ownProtocols() : []
  return { ids, known: knownOf([...fromFiles, ...fromSettings]), usesSettings }
}

/** The protocols that can be selected by id alone. */
export async function knownProtocols(workspace: Workspace): Promise<KnownProtocols> {
  return knownOf(await workspace.ownProtocols())
}

/** True if there is a built-in protocol with this id. */
function isBuiltIn(id: string): boolean {
  return Object.hasOwn(protocols, id)
}

/** True if a name is a file: it contains a slash or has the extension of a code file. */
export function isProtocolFile(name: string): boolean {
  return name.includes('/') || /\.[cm]?[jt]s$/.test(name)
}

function knownOf(all: readonly OwnProtocol[]): KnownProtocols {
  const byId = new Map<string, OwnProtocol>()
  for (const own of all) {
    const { id } = own.protocol
    const other = byId.get(id)
    if (other && other.file !== own.file) {
      throw new UserError(
        'data',
        `${quote(other.file)} and ${quote(own.file)} both define the protocol ${quote(id)}. Rename one of them`,
      )
    }
    byId.set(id, own)
  }
  const own = [...byId.values()].map(({ protocol }) => protocol)
  return own.length > 0 ? { own, all: [...own, ...readProtocols] } : { own }
}

/** Protocols in the form of parser options. */
export interface ChosenProtocols {
  readonly protocols?: readonly Protocol[]
  readonly auto?: true
}

/**
 * Finds protocols by id, including those in the settings. `auto` returns all protocols, to parse
 * with all of them.
 */
export function chooseProtocols(
  ids: readonly string[],
  { own, all }: KnownProtocols = { own: [] },
): ChosenProtocols {
  const chosen = [...new Set(ids)].filter((id) => id !== 'auto').map((id) => find(id, own))
  if (chosen.length > 0 && !ids.includes('auto')) return { protocols: chosen }
  return all ? { protocols: all, auto: true } : {}
}

function find(id: string, own: readonly Protocol[]): Protocol {
  const known = own.find((protocol) => protocol.id === id)
  if (known) return known
  if (isBuiltIn(id) && protocols[id]) return protocols[id]

  // Users also enter the name of their model.
  const { protocol, nearest } = protocolFor(id)
  const suggested = protocol ? [protocol.id] : nearest.slice(0, 3)
  const advice =
    suggested.length > 0
      ? `Did you mean ${suggested.join(' or ')}? List all protocols with: toolglot protocols`
      : 'List all protocols with: toolglot protocols. To try all of them at once, use auto'
  throw new UserError('usage', `Unknown protocol ${quote(id)}. ${advice}`)
}
