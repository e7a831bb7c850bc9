import { Command, CommanderError, Help, type Option } from 'commander'
import { type CommandLoader, commands } from './commands/index.ts'
import { Exit } from './exit.ts'
import { examples, showExamples } from './show/examples.ts'
import { colorsOf, type Terminal } from './terminal.ts'
import { version } from './version.ts'

/**
 * Runs one command line. Returns its exit code: 0 for success, 1 for invalid data, 2 for wrong
 * usage.
 */
export async function start(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const commandLine = withDefaultCommand(withCommandFirst(words))
    await runCommand(commandLine, terminal)
    return 0
  } catch (error) {
    // Commander has already printed help, the version or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof Exit) return error.code
    const { userDirectories, UserError } = await import('@toolglot/workspace')
    const { stateProblem } = await import('@toolglot/workspace/internal')
    const known =
      error instanceof UserError ? error : stateProblem(error, userDirectories(terminal.env))
    if (!known) throw error

    const label = colorsOf(terminal.errors, terminal.env).red('error:')
    terminal.errors.write(`${label} ${known.message}\n`)
    return known.code === 'usage' ? 2 : 1
  }
}

async function runCommand(words: readonly string[], terminal: Terminal): Promise<void> {
  const program = createProgram(terminal)
  for (const load of neededCommands(words)) (await load())(program, terminal)
  await program.parseAsync(words, { from: 'user' })
}

/** Help, and suggestions for unknown commands, need all of them. */
function neededCommands([name = '']: readonly string[]): Iterable<CommandLoader> {
  if (['-V', '--version'].includes(name)) return []
  const command = commands.get(name)
  return command ? [command] : commands.values()
}

/**
 * `--cwd FOLDER` may come before the command, as in git and npm: `toolglot --cwd ../other run "…"`.
 */
function withCommandFirst(words: readonly string[]): readonly string[] {
  const length = words[0] === '--cwd' ? 2 : words[0]?.startsWith('--cwd=') ? 1 : 0
  const command = words[length]
  if (length === 0 || command === undefined || !commands.has(command)) return words
  return [command, ...words.slice(0, length), ...words.slice(length + 1)]
}

/** The default command is `open`: `toolglot`, `toolglot --port 8080` and `toolglot ./my-project` open the page. */
export function withDefaultCommand(words: readonly string[]): readonly string[] {
  const [first] = words
  if (first === undefined) return ['open']
  if (['-h', '--help', '-V', '--version'].includes(first)) return words
  return /^[-./~]/.test(first) ? ['open', ...words] : words
}

/** Empty lists are not useful as defaults. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: [])', '')
}

/** The program, without its commands. */
export function createProgram(terminal: Terminal): Command {
  const { output, errors, env } = terminal
  const colors = { out: colorsOf(output, env), error: colorsOf(errors, env) }

  return new Command('toolglot')
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
}
