import { protocols, type Protocol } from '@toolglot/core'
import { CommandError } from '../command-error.ts'
import { nearest } from '../nearest.ts'
import { quote } from '../show/visible.ts'

/** The protocols of these ids, as an option; none for `auto`, which reads every protocol at once. */
export function chooseProtocols(ids: readonly string[]): { protocols?: Protocol[] } {
  const chosen = [...new Set(ids)].filter((id) => id !== 'auto').map(find)
  return chosen.length === 0 || ids.includes('auto') ? {} : { protocols: chosen }
}

function find(id: string): Protocol {
  if (Object.hasOwn(protocols, id) && protocols[id]) return protocols[id]

  const suggested = suggest(id)
  throw new CommandError('usage', {
    expected: 'the id of a protocol',
    got: quote(id),
    advice:
      suggested.length > 0
        ? `did you mean ${suggested.join(' or ')}? All of them: toolglot protocols`
        : 'toolglot protocols lists them, and auto reads all at once',
  })
}

/** People also type the name of their model. */
function suggest(id: string): string[] {
  const byModel = Object.values(protocols)
    .filter(({ models = [] }) => models.some((model) => model.test(id)))
    .map((protocol) => protocol.id)
  return [...new Set([...nearest(id, Object.keys(protocols)), ...byModel])].slice(0, 3)
}
