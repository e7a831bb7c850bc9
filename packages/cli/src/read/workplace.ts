import { join } from 'node:path'
import type { Tool } from '@toolglot/agent'
import { printInstructions } from '@toolglot/agent/context'
import type { Journal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import type { Permissions, FileSystemView } from '@toolglot/permissions'
import type { Checkpoints, Host } from '@toolglot/tools'
import { findInstructions, userDirectories } from '@toolglot/workspace'
import { CommandError } from '../command-error.ts'
import { placeOf } from '../show/decision.ts'
import { quote } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { type PermissionFlags, permissionsIn } from './permissions.ts'
import { stateFolder } from './state-folder.ts'
import { toolsOf } from './tools-of.ts'

/** The folder that a run works in: its tools, what may run there, how to work there, and where it is recorded. */
export interface Workplace {
  readonly permissions: Permissions
  readonly fileSystem: FileSystemView
  readonly host: Host
  readonly tools: ReadonlyMap<string, Tool>
  readonly checkpoints: Checkpoints
  readonly journal: Journal
  /** What the model is told first. */
  readonly system: string
  /** What of it a stranger may have written. */
  readonly untrusted: readonly string[]
  readonly warnings: readonly string[]
  close(): Promise<void>
}

export async function openWorkplace(
  flags: PermissionFlags & { readonly system?: string },
  terminal: Terminal,
): Promise<Workplace> {
  const inForce = await permissionsIn(flags, terminal)
  const { permissions, fileSystem, trusted } = inForce
  const wrong = wrongRules(permissions)
  const { host, tools, checkpoints } = await toolsOf(fileSystem, terminal, inForce)
  const directories = userDirectories(terminal.env)
  const found = findInstructions(fileSystem.cwd, { directories })
  const instructions = printInstructions(found.files, { trusted })
  const journal = openJournal(terminal)
  const system = flags.system ?? `You help a person with the files in ${fileSystem.cwd}. ${HOW}`
  return {
    permissions,
    fileSystem: host.fileSystem,
    host,
    tools,
    checkpoints,
    journal,
    system: [system, instructions.text].filter((part) => part !== '').join('\n\n'),
    untrusted: instructions.untrusted,
    warnings: [...inForce.warnings, ...wrong, ...found.problems, ...instructions.notes],
    async close() {
      await host.close()
      await journal.close()
    },
  }
}

/** Rules that are none: nothing would run, so who wrote them a moment ago is told at once, and everyone before they ask. */
function wrongRules({ problems = [] }: Permissions): string[] {
  const told = problems.map(({ text, problem, source }) => {
    const what = `the rule ${quote(text)} is wrong: ${problem}`
    if (source.file === undefined && source.scope === 'cli') throw new CommandError('usage', what)
    return `${placeOf({ source }).trim()}: ${what}`
  })
  return told.length > 0 ? [...told, 'until that is mended, no tool runs'] : []
}

const HOW =
  'Look with your tools before you answer or change anything. Answer in the language of the person, and say what you did.'

/** Where this person's runs are recorded. */
export function openJournal(terminal: Terminal): Journal {
  return sqliteJournal({ file: join(stateFolder(terminal), 'journal.sqlite') })
}
