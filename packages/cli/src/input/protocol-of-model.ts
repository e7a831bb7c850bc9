import { protocolFor, type Protocol, type ProtocolFor } from '@toolglot/core'
import { UserError } from '@toolglot/workspace'
import { quote, isProtocolFile } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { fromFile, fromInput, textOf } from './source.ts'
import { resolve } from 'node:path'

/** The protocol of a model, by its name. */
export function protocolOfModel(name: string): Protocol {
  return known(protocolFor(name), {
    problem: `The protocol of ${quote(name)} is unknown`,
    advice: 'Look at its chat template with: toolglot protocols --template FILE',
  })
}

/** The protocol of a model, by a file with its chat template; `-` is standard input. */
export async function protocolOfTemplate(path: string, terminal: Terminal): Promise<Protocol> {
  const text = await textOf(path === '-' ? fromInput(terminal) : fromFile(path, terminal))
  return known(protocolFor({ chatTemplate: templateIn(text) }), {
    problem: `The chat template in ${quote(path)} has no known marks`,
    advice: 'List the known protocols with: toolglot protocols',
  })
}

function known(
  { protocol, nearest }: ProtocolFor,
  { problem, advice }: { readonly problem: string; readonly advice: string },
): Protocol {
  if (protocol) return protocol
  const near = nearest.length > 0 ? `. The nearest are ${nearest.slice(0, 5).join(', ')}` : ''
  throw new UserError('data', `${problem}${near}. ${advice}`)
}

/**
 * The template in a `tokenizer_config.json`, which most models have. Some contain several named
 * templates.
 */
function templateIn(text: string): string {
  try {
    const { chat_template: given } = JSON.parse(text) as { chat_template: unknown }
    const templates = [given].flat() as (string | { template: string })[]
    return templates.map((each) => (typeof each === 'string' ? each : each.template)).join('\n')
  } catch {
    // The text is not JSON: the file is the template.
    return text
  }
}

/**
 * The name of a protocol on the command line. A file is relative to the shell's folder, regardless
 * of `--cwd`.
 */
export function protocolName(typed: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  return isProtocolFile(typed) ? resolve(cwd, typed) : typed
}
