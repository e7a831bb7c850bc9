import type { Command } from 'commander'

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
