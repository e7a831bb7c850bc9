import { Option, type Command } from 'commander'
import { PERMISSION_MODES } from '@toolglot/permissions'
import type { WorkspaceFlags } from '../open-workspace.ts'

/** What the command line says about permissions. */
export interface PermissionFlags extends WorkspaceFlags {
  readonly interactive: boolean
}

/** Adds the options that control what may run, in addition to the settings. */
export function addPermissionFlags(command: Command): Command {
  return command
    .option(
      '--allow <rule>',
      'add an allow rule to those in the settings; can be repeated',
      addRule,
      [],
    )
    .option('--ask <rule>', 'add an ask rule; can be repeated', addRule, [])
    .option('--deny <rule>', 'add a deny rule; can be repeated', addRule, [])
    .addOption(new Option('--mode <mode>', 'the permission mode').choices(PERMISSION_MODES))
    .option(
      '--settings <file>',
      'load another settings file, JSON or YAML; can be repeated',
      addRule,
      [],
    )
    .option('--import-claude', "also use the permissions in Claude Code's settings")
    .option('--cwd <folder>', 'the folder to work in (default: the current one)')
    .option('--no-interactive', 'never ask; deny what would need approval')
}

function addRule(rule: string, before: readonly string[]): string[] {
  return [...before, rule]
}
