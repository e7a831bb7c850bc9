import { Option, type Command } from 'commander'
import { duplicateKeyProblem } from '@toolglot/agent/internal'
import {
  decide,
  type Decision,
  lintRules,
  suggestRules,
  type RuleNote,
  type RuleProblem,
} from '@toolglot/permissions'
import { UserError } from '@toolglot/workspace'
import { sandboxOptions, visibleLine } from '@toolglot/workspace/internal'
import { addPermissionFlags, type PermissionFlags } from './flags.ts'
import { workspaceWithWarnings } from '../open-workspace.ts'
import { batch } from '../batch/batch.ts'
import { answerPermit, asInRun } from '../batch/permit.ts'
import { Exit } from '../exit.ts'
import { argumentsOf, argumentsText } from '../input/arguments.ts'
import { decisionJson, showDecision, placeOf } from '../show/decision.ts'
import { permitExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, type Terminal, write, type Colors, warn } from '../terminal.ts'

const LABELS: Record<RuleNote['about'], string> = {
  never: 'never matches',
  'too-much': 'matches too much',
  'cannot-say': 'matches less than it seems to',
}

interface Flags extends PermissionFlags {
  readonly json?: true
  readonly verbose?: true
  readonly lint?: true
  readonly batch?: true
}

/** `toolglot permit`: explains whether a call may run. */
export function addPermit(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('permit')
    .description('show whether a call may run, and why; exit code 0 only if it is allowed')
    .argument('[tool]', 'the name of the tool, such as Bash')
    .argument('[arguments]', 'the arguments as a JSON object (default: piped input)')
  addPermissionFlags(command)
    .option('--json', 'print the decision as JSON')
    .option('--verbose', 'also print the shell text that would run')
    .addOption(
      new Option('--lint', 'find rules that never match, match too much or have another meaning'),
    )
    .addOption(
      new Option('--batch', 'read requests and print answers as JSON Lines').conflicts([
        'mode',
        'importClaude',
        'cwd',
        'json',
        'verbose',
        'lint',
      ]),
    )
    .showHelpAfterError('Help: toolglot permit --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), permitExamples)}`)
    .action((tool: string | undefined, args: string | undefined, flags: Flags) => {
      if (flags.batch)
        return batch(terminal.input, terminal.output, answerPermit, (text) => warn(text, terminal))
      return flags.lint ? lint(flags, terminal) : explain(tool, args, flags, terminal)
    })
}

async function explain(
  tool: string | undefined,
  given: string | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  if (tool === undefined) {
    throw new UserError(
      'usage',
      `No tool and no arguments. Try: toolglot permit Bash '{"command": "git status"}'`,
    )
  }
  const args = await argumentsText(given, terminal)
  const call = { name: tool, args: argumentsOf(args) }
  const workspace = await workspaceWithWarnings(flags, terminal)
  const { env } = workspace
  const fileSystem = asInRun(workspace.fileSystem, env, sandboxOptions(workspace))
  const permissions = await workspace.permissions()
  const doubled = args === undefined ? undefined : duplicateKeyProblem(args)
  const decision =
    doubled === undefined ? await decide(call, permissions, fileSystem) : refusal(tool, doubled)
  const always = doubled === undefined ? await suggestRules(call, permissions, fileSystem) : []
  await write(
    terminal.output,
    flags.json
      ? `${toJson({ ...decisionJson(decision), always }, { indent: 2 })}\n`
      : showDecision(decision, always, {
          colors: colorsOf(terminal.output, terminal.env),
          verbose: flags.verbose === true,
        }),
  )
  if (decision.verdict !== 'allow') throw new Exit(1)
}

function refusal(what: string, error: string): Decision {
  const part = { what, verdict: 'deny', why: error } as const
  return { ...part, parts: [part], error }
}

async function lint(flags: Flags, terminal: Terminal): Promise<void> {
  const workspace = await workspaceWithWarnings(flags, terminal)
  const { rules, problems = [] } = await workspace.permissions()
  const notes = lintRules(rules)
  await write(
    terminal.output,
    flags.json
      ? `${toJson(ruleNotesJson(notes, problems), { indent: 2 })}\n`
      : showRuleNotes(rules.length, notes, problems, colorsOf(terminal.output, terminal.env)),
  )
  if (notes.length + problems.length > 0) throw new Exit(1)
}

/** The findings of `permit --lint`, for people. */
function showRuleNotes(
  count: number,
  notes: readonly RuleNote[],
  problems: readonly RuleProblem[],
  { bold, red, yellow, dim, green }: Colors,
): string {
  const invalid = problems.map(
    ({ text, problem, source }) =>
      `${bold(visibleLine(text))}${dim(placeOf({ source }))}\n  ${red('invalid')}  ${visibleLine(problem)}\n`,
  )
  const noted = notes.map(
    ({ rule, about, message }) =>
      `${bold(visibleLine(rule.text))}${dim(placeOf(rule))}\n  ${yellow(LABELS[about])}  ${message}\n`,
  )
  const all = [...invalid, ...noted]
  const total = `${count} ${count === 1 ? 'rule' : 'rules'}`
  return all.length > 0 ? all.join('\n') : `${green('ok')}  no problems in ${total}\n`
}

/** The findings of `permit --lint`, for programs. */
function ruleNotesJson(notes: readonly RuleNote[], problems: readonly RuleProblem[]): object {
  return {
    problems: problems.map(({ text, problem, source }) => ({ rule: text, problem, ...source })),
    notes: notes.map(({ rule, about, message }) => ({
      rule: rule.text,
      about,
      message,
      ...rule.source,
    })),
  }
}
