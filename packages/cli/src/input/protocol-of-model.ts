import { protocolFor, type Protocol, type ProtocolFor } from '@toolglot/core'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { fromFile, fromInput, textOf } from './source.ts'

/** The protocol of a model, by its name. */
export function protocolOfModel(name: string): Protocol {
  return known(protocolFor(name), {
    expected: 'the name of a model whose protocol is known',
    got: quote(name),
    advice: 'look at its chat template with toolglot protocols --template FILE',
  })
}

/** The protocol of a model, by a file with its chat template; `-` is what is piped in. */
export async function protocolOfTemplate(path: string, terminal: Terminal): Promise<Protocol> {
  const text = await textOf(path === '-' ? fromInput(terminal) : fromFile(path, terminal))
  return known(protocolFor({ chatTemplate: templateIn(text) }), {
    expected: 'a chat template whose marks are known',
    got: quote(path),
    advice: 'toolglot protocols lists what is known',
  })
}

function known(
  { protocol, nearest }: ProtocolFor,
  { expected, got, advice }: { expected: string; got: string; advice: string },
): Protocol {
  if (protocol) return protocol
  const near = nearest.length > 0 ? `the nearest are ${nearest.slice(0, 5).join(', ')}; ` : ''
  throw new UserError('data', { expected, got, advice: near + advice })
}

/** Most models come with their template inside `tokenizer_config.json`; some with several, each with a name. */
function templateIn(text: string): string {
  try {
    const { chat_template: given } = JSON.parse(text) as { chat_template: unknown }
    const templates = [given].flat() as (string | { template: string })[]
    return templates.map((each) => (typeof each === 'string' ? each : each.template)).join('\n')
  } catch {
    // It is no such file: a template by itself.
    return text
  }
}
