import { protocolFor, protocols, type Protocol } from '@toolglot/core'
import { CommandError } from '../command-error.ts'
import type { Known } from '../own/known.ts'
import { quote } from '../show/visible.ts'
import { isBuiltIn } from './built-in.ts'

/** Protocols as an option of a parser. */
export interface Chosen {
  readonly protocols?: readonly Protocol[]
  readonly auto?: true
}

/**
 * The protocols of these ids, a person's own among them; none for `auto`, which reads every protocol at once, with their
 * own beside them.
 */
export function chooseProtocols(ids: readonly string[], { own, all }: Known = { own: [] }): Chosen {
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
  throw new CommandError('usage', {
    expected: 'the id of a protocol',
    got: quote(id),
    advice:
      suggested.length > 0
        ? `did you mean ${suggested.join(' or ')}? All of them: toolglot protocols`
        : 'toolglot protocols lists them, and auto reads all at once',
  })
}
