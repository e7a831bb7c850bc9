import { type Command, InvalidArgumentError, Option } from 'commander'
import { UserError } from '@toolglot/workspace'
import { addModelFlags, addPermissionFlags, type PermissionFlags } from './flags.ts'

/** The options of `run` and `chat`. */
export interface RunFlags extends PermissionFlags {
  readonly model?: string
  readonly protocol?: string
  readonly system?: string
  /** True if the user picks one. */
  readonly resume?: string | true
  readonly fork?: string
  readonly turn?: number
  readonly restoreFiles?: true
  readonly maxTurns?: number
  /** The tools to offer, or false for no tools. */
  readonly tools?: readonly string[] | false
  readonly temperature?: number
  readonly context?: number
  readonly acceptChanges?: true
}

/** Adds the options of `run` and `chat` to a command. */
export function addRunFlags(command: Command): Command {
  addModelFlags(command)
    .option('--system <text>', 'the system prompt; {{tools}} marks where the tools are described')
    .option('--resume [run]', 'resume a run: its id, its name, or last (default: pick one)')
    .addOption(
      new Option(
        '--fork <run>',
        'continue in a copy of a run, which is not changed: its id, its name, or last',
      ).conflicts('resume'),
    )
    .option(
      '--turn <number>',
      'with --fork: copy only the turns before this one (see replay)',
      turnOf,
    )
    .option(
      '--restore-files',
      'with --turn: undo the changes by Write and Edit in this turn and later ones',
    )
    .option('--accept-changes', 'resume even if the model, the tools or the folder changed')
    .option('--max-turns <number>', 'maximum number of model replies per prompt', countOf)
    .option(
      '--tools <names>',
      'offer only these tools, separated by commas, the most important first: Read,Grep',
      namesOf,
    )
    .option('--no-tools', 'offer no tools')
    .option('--temperature <number>', 'randomness of replies, from 0 to 2', temperatureOf)
    .option(
      '--context <tokens>',
      'the size of the context to use, such as 8192 or 8k (default: that of the server)',
      contextOf,
    )
  return addPermissionFlags(command)
}

/** Throws a UserError for options that require another one. */
export function checkForkFlags({ fork, turn, restoreFiles }: RunFlags): void {
  if (turn !== undefined && fork === undefined) throw missing('--fork RUN', '--turn')
  if (restoreFiles && turn === undefined) throw missing('--turn NUMBER', '--restore-files')
}

function missing(expected: string, got: string): UserError {
  return new UserError(
    'usage',
    `${got} requires ${expected}. Try: toolglot run --fork last --turn 0 "Another prompt"`,
  )
}

function turnOf(text: string): number {
  const turn = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(turn))
    throw new InvalidArgumentError('Turns are numbered from 0.')
  return turn
}

function namesOf(text: string, before: readonly string[] | false | undefined): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw new InvalidArgumentError('Use names of tools, or --no-tools.')
  return [...(before || []), ...names]
}

function temperatureOf(text: string): number {
  const temperature = Number(text)
  if (text.trim() === '' || !(temperature >= 0 && temperature <= 2))
    throw new InvalidArgumentError('It must be a number from 0 to 2.')
  return temperature
}

function contextOf(text: string): number {
  const [, digits, thousands] = /^(\d{1,8})(k)?$/i.exec(text.trim()) ?? []
  const tokens = Number(digits) * (thousands ? 1024 : 1)
  if (!(tokens >= 512 && tokens <= 16_777_216))
    throw new InvalidArgumentError('It must be at least 512 tokens, such as 8192 or 8k.')
  return tokens
}

function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('It must be a number from 1 to 10000.')
  return count
}
