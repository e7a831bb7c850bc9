import { readProtocols, type Protocol } from '@toolglot/core'
import { CommandError } from '../command-error.ts'
import { isBuiltIn } from '../read/built-in.ts'
import { quote } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { isPath } from './is-path.ts'
import { protocolsOfFile, protocolsOfSettings } from './own-protocols.ts'
import type { OwnProtocol } from './protocols-in.ts'

/** The protocols a person brings along. */
export interface Known {
  readonly own: readonly Protocol[]
  /** What is read where none is named: theirs and all others, in a list that stays the same. */
  readonly all?: readonly Protocol[]
}

/** The ids that were asked for, files among them, and the protocols that they may mean. Nothing is loaded in vain. */
export async function knownFor(
  asked: readonly string[],
  terminal: Terminal,
): Promise<{ ids: string[]; known: Known }> {
  const fromFiles: OwnProtocol[] = []
  for (const file of asked.filter(isPath))
    fromFiles.push(...(await protocolsOfFile(file, terminal)))
  const ids = [
    ...asked.filter((name) => !isPath(name)),
    ...fromFiles.map(({ protocol }) => protocol.id),
  ]
  const isSettled = ids.length > 0 && asked.every((name) => isPath(name) || isBuiltIn(name))
  const fromSettings = isSettled ? [] : await protocolsOfSettings(terminal)
  return { ids, known: knownOf([...fromFiles, ...fromSettings]) }
}

/** What settings bring along. */
export async function knownInSettings(terminal: Terminal): Promise<Known> {
  return knownOf(await protocolsOfSettings(terminal))
}

function knownOf(all: readonly OwnProtocol[]): Known {
  const byId = new Map<string, OwnProtocol>()
  for (const own of all) {
    const { id } = own.protocol
    const other = byId.get(id)
    if (other && other.file !== own.file) {
      throw new CommandError('data', {
        expected: 'protocols with different ids',
        got: `${quote(id)} in ${quote(other.file)} and in ${quote(own.file)}`,
        advice: 'give one of them another',
      })
    }
    byId.set(id, own)
  }
  const own = [...byId.values()].map(({ protocol }) => protocol)
  return own.length > 0 ? { own, all: [...own, ...readProtocols] } : { own }
}
