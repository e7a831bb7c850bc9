import { type Command, Option, InvalidArgumentError } from 'commander'
import { PERMISSION_MODES } from '@toolglot/permissions'
import type { WorkspaceFlags } from '../open-workspace.ts'

/** Adds the options that select a model and its call format. */
export function addModelFlags(command: Command): Command {
  return command
    .option(
      '-m, --model <model>',
      'such as ollama/qwen3:8b or ./qwen.gguf, or script for the demo (default: detected)',
    )
    .option(
      '-p, --protocol <id>',
      'how the model writes calls: an id, native, or auto (default: auto)',
    )
}

/** Adds the options that select a folder and its settings. */
export function addWorkspaceFlags(command: Command): Command {
  return command
    .option(
      '--settings <file>',
      'load another settings file, JSON or YAML; can be repeated',
      addWord,
      [],
    )
    .option('--import-claude', "also use the permissions in Claude Code's settings")
    .option('--cwd <folder>', 'the folder to work in (default: the current one)')
}

/** Adds the option that confirms a home folder as a workspace. */
export function addExposeHome(command: Command): Command {
  return command.option(
    '--expose-home',
    'if the home folder is in the workspace: let commands read and change all of it',
  )
}

/** Collects the values of an option that can be repeated. */
export function addWord(word: string, before: readonly string[]): string[] {
  return [...before, word]
}

/** The permission options of the command line. */
export interface PermissionFlags extends WorkspaceFlags {
  readonly interactive: boolean
}

/** Adds the options that extend or restrict permissions, in addition to the settings. */
export function addPermissionFlags(command: Command): Command {
  command
    .option(
      '--allow <rule>',
      'add an allow rule to those in the settings; can be repeated',
      addWord,
      [],
    )
    .option('--ask <rule>', 'add an ask rule; can be repeated', addWord, [])
    .option('--deny <rule>', 'add a deny rule; can be repeated', addWord, [])
    .addOption(new Option('--mode <mode>', 'the permission mode').choices(PERMISSION_MODES))
  return addExposeHome(addWorkspaceFlags(command)).option(
    '--no-interactive',
    'never ask; deny calls that need approval',
  )
}

/** Adds the options of commands that use a shared journal. */
export function addSharedJournalFlags(command: Command): Command {
  return command
    .option(
      '--journal <url>',
      'record runs on Postgres, shared with other machines (default: TOOLGLOT_JOURNAL, or a local file)',
    )
    .option(
      '--machine <name>',
      'the name of this machine, which runs that use its files are bound to (default: its host name)',
    )
    .option(
      '--code-version <text>',
      'the version of your code and tools: a run continues only with the version that started it',
    )
    .addOption(
      new Option(
        '--when-changed <what>',
        'what to do with a run that was started with other tools or another version (default: leave it to others)',
      ).choices(['leave', 'ask', 'continue']),
    )
    .addOption(count('--max-runs <number>', 'the maximum number of runs at once (default: 50)'))
    .addOption(
      count('--max-per-owner <number>', 'the maximum number of runs per owner, on all machines'),
    )
    .addOption(
      count('--max-per-model <number>', 'the maximum number of runs per model, on all machines'),
    )
}

function count(flags: string, about: string): Option {
  return new Option(flags, about).argParser((text) => {
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < 1)
      throw new InvalidArgumentError('It must be a positive integer.')
    return number
  })
}

/** Parses a port; 0 means any free one. */
export function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}
