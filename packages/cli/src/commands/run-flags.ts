import { type Command, InvalidArgumentError } from 'commander'
import { addPermissionFlags, type PermissionFlags } from './permission-flags.ts'

/** What `run` and `chat` are told on the command line. */
export interface RunFlags extends PermissionFlags {
  readonly model?: string
  readonly protocol?: string
  readonly system?: string
  readonly resume?: string
  readonly maxTurns?: number
}

export function addRunFlags(command: Command): Command {
  command
    .option('-m, --model <model>', 'such as ollama/qwen3:8b, or script (default: one is found)')
    .option('-p, --protocol <id>', 'how it writes calls: an id, native, or auto (default: auto)')
    .option('--system <text>', 'told to the model first; {{tools}} is where the tools are told of')
    .option('--resume <run>', 'go on with a run: its id, its name, or last')
    .option('--max-turns <number>', 'how often the model is asked for one prompt', countOf)
  return addPermissionFlags(command)
}

function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('Expected a number from 1 to 10000.')
  return count
}
