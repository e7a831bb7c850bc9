import { protocolFor, protocols, type Protocol } from '@toolglot/core'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'
import { isBuiltIn, type KnownProtocols } from './known-protocols.ts'

/** Protocols as options of a parser. */
export interface ChosenProtocols {
  readonly protocols?: readonly Protocol[]
  readonly auto?: true
}

/** Finds protocols by their ids, including those of the settings. `auto` returns all of them, to parse with at once. */
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

  // People also type the name of their model.
  const { protocol, nearest } = protocolFor(id)
  const suggested = protocol ? [protocol.id] : nearest.slice(0, 3)
  throw new UserError('usage', {
    expected: 'the id of a protocol',
    got: quote(id),
    advice:
      suggested.length > 0
        ? `did you mean ${suggested.join(' or ')}? All of them: toolglot protocols`
        : 'toolglot protocols lists them, and auto reads all at once',
  })
}
