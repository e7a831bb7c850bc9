import { protocolFor, type Protocol, type ProtocolFor } from '@toolglot/core'
import { UserError } from '@toolglot/workspace'
import { quote, isProtocolFile } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { fromFile, fromInput, textOf } from './source.ts'
import { resolve } from 'node:path'

/** The protocol of a model, by its name. */
export function protocolOfModel(name: string): Protocol {
  return known(protocolFor(name), {
    expected: 'the name of a model whose protocol is known',
    got: quote(name),
    advice: 'look at its chat template with toolglot protocols --template FILE',
  })
}

/** The protocol of a model, by a file with its chat template; `-` is standard input. */
export async function protocolOfTemplate(path: string, terminal: Terminal): Promise<Protocol> {
  const text = await textOf(path === '-' ? fromInput(terminal) : fromFile(path, terminal))
  return known(protocolFor({ chatTemplate: templateIn(text) }), {
    expected: 'a chat template with known marks',
    got: quote(path),
    advice: 'toolglot protocols lists the known protocols',
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

/** The template in a `tokenizer_config.json`, which most models have. Some have several templates, each with a name. */
function templateIn(text: string): string {
  try {
    const { chat_template: given } = JSON.parse(text) as { chat_template: unknown }
    const templates = [given].flat() as (string | { template: string })[]
    return templates.map((each) => (typeof each === 'string' ? each : each.template)).join('\n')
  } catch {
    // Not JSON: the file is the template.
    return text
  }
}

/** The name of a protocol as it was typed. A file is relative to the shell's folder, whatever `--cwd` is. */
export function protocolName(typed: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  return isProtocolFile(typed) ? resolve(cwd, typed) : typed
}
