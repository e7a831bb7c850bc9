import type { Command } from 'commander'
import { batch } from '../batch/batch.ts'
import { answerPermit } from '../batch/permit.ts'
import { permitExamples, showExamples } from '../show/examples.ts'
import { colorsOf, type Terminal } from '../terminal.ts'
import { warn } from '../warn.ts'

/** `toolglot permit`: may a call run, and why? */
export function addPermit(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('permit')
    .description('say whether a call may run, and why')
    .requiredOption('--batch', 'requests in, answers out, as JSON Lines')
    .showHelpAfterError('Help: toolglot permit --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), permitExamples)}`)
    .action(() =>
      batch(terminal.input, terminal.output, answerPermit, (message) => warn(message, terminal)),
    )
}
