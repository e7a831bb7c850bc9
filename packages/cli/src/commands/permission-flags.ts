import { Option, type Command } from 'commander'
import { PERMISSION_MODES } from '@toolglot/permissions'
import type { WorkspaceFlags } from '../open-workspace.ts'

/** What the command line says about permissions. */
export interface PermissionFlags extends WorkspaceFlags {
  readonly interactive: boolean
}

/** The options that say what may run, beside the settings. */
export function addPermissionFlags(command: Command): Command {
  return command
    .option('--allow <rule>', 'a rule beside those of the settings; may be repeated', addRule, [])
    .option('--ask <rule>', 'the same for ask', addRule, [])
    .option('--deny <rule>', 'the same for deny', addRule, [])
    .addOption(new Option('--mode <mode>', 'how much is asked').choices(PERMISSION_MODES))
    .option(
      '--settings <file>',
      'settings beside those of the folder, as JSON or YAML; may be repeated',
      addRule,
      [],
    )
    .option('--import-claude', "count the permissions of Claude Code's settings too")
    .option('--cwd <folder>', 'where the call would run (default: here)')
    .option('--no-interactive', 'nobody is there to ask')
}

function addRule(rule: string, before: readonly string[]): string[] {
  return [...before, rule]
}
