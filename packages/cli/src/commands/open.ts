import { type Command, Option } from 'commander'
import { openExamples, showExamples } from '../show/examples.ts'
import type { WorkspaceFlags } from '../open-workspace.ts'
import { colorsOf, type Terminal } from '../terminal.ts'
import { addExposeHome, addModelFlags, addWorkspaceFlags, portOf } from './flags.ts'

/** The options of `open`. */
export interface OpenFlags extends WorkspaceFlags {
  readonly port?: number
  readonly model?: string
  readonly protocol?: string
  readonly browser: boolean
}

/** `toolglot open`: opens the page in a browser. */
export function addOpen(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('open')
    .description('open the page in your browser (the default command)')
    .argument('[folder]', 'the folder to work in (default: the current one)')
  addModelFlags(command)
    .addOption(
      new Option(
        '--port <number>',
        'the port (default: the last one used, initially 4747); 0 for any free one',
      ).argParser(portOf),
    )
    .option('--no-browser', 'only print the link')
  addExposeHome(addWorkspaceFlags(command))
    .showHelpAfterError('Help: toolglot open --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), openExamples)}`)
    .action(async (folder: string | undefined, flags: OpenFlags) => {
      // Imported here so that no other command has to load it.
      const { openPage } = await import('../serve/open-page.ts')
      await openPage(folder === undefined ? flags : { ...flags, cwd: folder }, terminal)
    })
}
