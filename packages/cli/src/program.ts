import { Command, CommanderError, Help, type Option } from 'commander'
import { userDirectories, UserError } from '@toolglot/workspace'
import { stateProblem } from '@toolglot/workspace/internal'
import { Exit } from './exit.ts'
import { addDoctor } from './commands/doctor.ts'
import { addConfig } from './commands/config.ts'
import { addExec } from './commands/exec.ts'
import { addMcp } from './commands/mcp.ts'
import { addModels } from './commands/models.ts'
import { addParse } from './commands/parse.ts'
import { addPermit } from './commands/permit.ts'
import { addProtocols } from './commands/protocols.ts'
import { addChat } from './commands/chat.ts'
import { addReplay } from './commands/replay.ts'
import { addRun } from './commands/run.ts'
import { addRuns } from './commands/runs.ts'
import { addTools } from './commands/tools.ts'
import { addTrust } from './commands/trust.ts'
import { addUndo } from './commands/undo.ts'
import { examples, showExamples } from './show/examples.ts'
import { colorsOf, type Terminal } from './terminal.ts'
import { version } from './version.ts'
import { viewDemoRun } from './views/demo-run.ts'

/** Runs one command line. Returns its exit code: 0, 1 for bad data, 2 for wrong usage. */
export async function start(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    const commandLine = withDefaultCommand(words, terminal)
    if (commandLine.length > 0) await program.parseAsync(commandLine, { from: 'user' })
    else await viewDemoRun(terminal)
    return 0
  } catch (error) {
    // Commander has already printed help, the version or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof Exit) return error.code
    const known =
      error instanceof UserError ? error : stateProblem(error, userDirectories(terminal.env))
    if (!known) throw error

    const label = colorsOf(terminal.errors, terminal.env).red('error:')
    terminal.errors.write(`${label} ${known.message}\n`)
    return known.code === 'usage' ? 2 : 1
  }
}

/** The default command is `chat`. Without any words and without a terminal to ask on, a demo run is shown. */
function withDefaultCommand(words: readonly string[], { ask }: Terminal): readonly string[] {
  const [first] = words
  if (first === undefined) return ask ? ['chat'] : []
  const isProgramOption = ['-h', '--help', '-V', '--version'].includes(first)
  return first.startsWith('-') && !isProgramOption ? ['chat', ...words] : words
}

/** Empty lists are not worth showing as defaults. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: [])', '')
}

function createProgram(terminal: Terminal): Command {
  const { output, errors, env } = terminal
  const colors = { out: colorsOf(output, env), error: colorsOf(errors, env) }

  const program = new Command('toolglot')
    .description('Toolglot lets any model that can write text call tools.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({ styleTitle: colors.out.bold, optionDescription })
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, colors.error.red('error:'))),
      getOutHelpWidth: () => output.columns ?? 100,
      getOutHasColors: () => colors.out.isColorSupported,
    })
    .showHelpAfterError('Help: toolglot --help')
    .exitOverride()
    .addHelpText('after', () => `\n${showExamples(colors.out.bold('Examples:'), examples)}`)
  addChat(program, terminal)
  addRun(program, terminal)
  addRuns(program, terminal)
  addReplay(program, terminal)
  addParse(program, terminal)
  addTools(program, terminal)
  addExec(program, terminal)
  addUndo(program, terminal)
  addMcp(program, terminal)
  addPermit(program, terminal)
  addProtocols(program, terminal)
  addTrust(program, terminal)
  addDoctor(program, terminal)
  addModels(program, terminal)
  addConfig(program, terminal)
  return program
}
