import { protocolFor, protocols, type Protocol } from '@toolglot/core'
import { CommandError } from '../command-error.ts'
import { quote } from '../show/visible.ts'

/** The protocols of these ids, as an option; none for `auto`, which reads every protocol at once. */
export function chooseProtocols(ids: readonly string[]): { protocols?: Protocol[] } {
  const chosen = [...new Set(ids)].filter((id) => id !== 'auto').map(find)
  return chosen.length === 0 || ids.includes('auto') ? {} : { protocols: chosen }
}

function find(id: string): Protocol {
  if (Object.hasOwn(protocols, id) && protocols[id]) return protocols[id]

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
