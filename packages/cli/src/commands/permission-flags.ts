import { Option, type Command } from 'commander'
import { PERMISSION_MODES } from '@toolglot/permissions'
import type { WorkspaceFlags } from '../open-workspace.ts'
import { addExposeHome, addWord, addWorkspaceFlags } from './workspace-flags.ts'

/** What the command line says about permissions. */
export interface PermissionFlags extends WorkspaceFlags {
  readonly interactive: boolean
}

/** Adds the options that control what may run, in addition to the settings. */
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
    'never ask; deny what would need approval',
  )
}
