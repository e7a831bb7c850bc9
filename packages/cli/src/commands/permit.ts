import { Option, type Command } from 'commander'
import { decide, lintRules, MODES, type Mode, suggestRules } from '@toolglot/agent'
import { batch } from '../batch/batch.ts'
import { answerPermit } from '../batch/permit.ts'
import { CommandError } from '../command-error.ts'
import { Exit } from '../exit.ts'
import { permissionsIn } from '../read/permissions.ts'
import { decisionJson, showDecision } from '../show/decision.ts'
import { notesJson, showNotes } from '../show/notes.ts'
import { describe } from '../show/describe.ts'
import { permitExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/json.ts'
import { quote } from '../show/visible.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'
import { warn } from '../warn.ts'

interface Asked {
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  readonly mode?: Mode
  readonly settings: readonly string[]
  readonly importClaude?: true
  readonly cwd?: string
  readonly interactive: boolean
  readonly json?: true
  readonly lint?: true
  readonly batch?: true
}

/** `toolglot permit`: may a call run, and why? */
export function addPermit(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('permit')
    .description('say whether a call may run, and why; exit code 0 only if it may')
    .argument('[tool]', 'the name of a tool, such as Bash')
    .argument('[arguments]', 'its arguments as a JSON object')
    .option('--allow <rule>', 'a rule beside those of the settings; may be repeated', addRule, [])
    .option('--ask <rule>', 'the same for ask', addRule, [])
    .option('--deny <rule>', 'the same for deny', addRule, [])
    .addOption(new Option('--mode <mode>', 'how much is asked').choices(MODES))
    .option(
      '--settings <file>',
      'settings beside those of the folder, as JSON or YAML; may be repeated',
      addRule,
      [],
    )
    .option('--import-claude', "count the permissions of Claude Code's settings too")
    .option('--cwd <folder>', 'where the call would run (default: here)')
    .option('--no-interactive', 'nobody is there to ask')
    .option('--json', 'print the decision as JSON')
    .addOption(
      new Option('--lint', 'say which rules never match, match too much or mean something else'),
    )
    .addOption(
      new Option('--batch', 'requests in, answers out, as JSON Lines').conflicts([
        'mode',
        'importClaude',
        'cwd',
        'json',
        'lint',
      ]),
    )
    .showHelpAfterError('Help: toolglot permit --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), permitExamples)}`)
    .action((tool: string | undefined, args: string | undefined, asked: Asked) => {
      if (asked.batch)
        return batch(terminal.input, terminal.output, answerPermit, (text) => warn(text, terminal))
      return asked.lint ? lint(asked, terminal) : explain(tool, args, asked, terminal)
    })
}

async function explain(
  tool: string | undefined,
  args: string | undefined,
  asked: Asked,
  terminal: Terminal,
): Promise<void> {
  if (tool === undefined) {
    throw new CommandError('usage', {
      expected: 'a tool and its arguments',
      got: 'nothing',
      advice: `try toolglot permit Bash '{"command": "git status"}'`,
    })
  }
  const call = { name: tool, args: argumentsOf(args) }
  const { permissions, world } = await permissionsOf(asked, terminal)
  const decision = decide(call, permissions, world)
  const always = suggestRules(call, permissions, world)
  await write(
    terminal.output,
    asked.json
      ? `${toJson({ ...decisionJson(decision), always }, { indent: 2 })}\n`
      : showDecision(decision, always, colorsOf(terminal.output, terminal.env)),
  )
  if (decision.verdict !== 'allow') throw new Exit(1)
}

async function lint(asked: Asked, terminal: Terminal): Promise<void> {
  const { permissions } = await permissionsOf(asked, terminal)
  const { rules, problems = [] } = permissions
  const notes = lintRules(rules)
  await write(
    terminal.output,
    asked.json
      ? `${toJson(notesJson(notes, problems), { indent: 2 })}\n`
      : showNotes(rules.length, notes, problems, colorsOf(terminal.output, terminal.env)),
  )
  if (notes.length + problems.length > 0) throw new Exit(1)
}

async function permissionsOf(asked: Asked, terminal: Terminal): ReturnType<typeof permissionsIn> {
  const found = await permissionsIn(asked, terminal)
  for (const warning of found.warnings) warn(warning, terminal)
  return found
}

function argumentsOf(text = '{}'): Record<string, unknown> {
  const expected = 'the arguments as a JSON object'
  const advice = `quote them for the shell: '{"command": "git status"}'`
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
    throw new CommandError('usage', { expected, got: describe(value), advice })
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError('usage', { expected, got: quote(text), advice })
  }
}

function addRule(rule: string, before: readonly string[]): string[] {
  return [...before, rule]
}
