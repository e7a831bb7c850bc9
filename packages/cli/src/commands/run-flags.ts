import { type Command, InvalidArgumentError } from 'commander'
import { addPermissionFlags, type PermissionFlags } from './permission-flags.ts'

/** The options of `run` and `chat`. */
export interface RunFlags extends PermissionFlags {
  readonly model?: string
  readonly protocol?: string
  readonly system?: string
  readonly resume?: string
  readonly maxTurns?: number
}

/** Adds the options of `run` and `chat` to a command. */
export function addRunFlags(command: Command): Command {
  command
    .option(
      '-m, --model <model>',
      'such as ollama/qwen3:8b, or script for the demo (default: detected)',
    )
    .option(
      '-p, --protocol <id>',
      'how the model writes calls: an id, native, or auto (default: auto)',
    )
    .option('--system <text>', 'the system prompt; {{tools}} marks where the tools are described')
    .option('--resume <run>', 'resume a run: its id, its name, or last')
    .option('--max-turns <number>', 'maximum number of model replies per prompt', countOf)
  return addPermissionFlags(command)
}

function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('Expected a number from 1 to 10000.')
  return count
}
