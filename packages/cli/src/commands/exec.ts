import type { Command } from 'commander'
import { randomBytes } from 'node:crypto'
import {
  type ApprovalQuestion as AskedCall,
  execute,
  type ExecuteOptions,
  type ExecuteResult,
  type ToolCall,
  type ToolFailure,
  type ToolProgress,
} from '@toolglot/agent'
import { duplicateKeyProblem } from '@toolglot/agent/internal'
import { type Decision, suggestRules } from '@toolglot/permissions'
import { openTools, UserError } from '@toolglot/workspace'
import { isYes, visible, visibleLine } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { askAtKeyboard } from '../person/ask-questions.ts'
import { printWarnings, workspaceForTools } from '../open-workspace.ts'
import { keyboardOf } from '../person/keyboard.ts'
import { argumentsOf, argumentsText } from '../input/arguments.ts'
import { createStopSignal } from '../process-events.ts'
import { showDecision } from '../show/decision.ts'
import { execExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, type Terminal, write, warn } from '../terminal.ts'
import { addPermissionFlags, type PermissionFlags } from './flags.ts'

interface Flags extends PermissionFlags {
  readonly json?: true
  readonly readFirst?: true
}

/** `toolglot exec`: runs one tool as if a model had called it. */
export function addExec(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('exec')
    .description('run a tool as if a model had called it, with the same checks and permissions')
    .argument('<tool>', 'the name of the tool, such as Read')
    .argument('[arguments]', 'the arguments as a JSON object (default: piped input)')
  addPermissionFlags(command)
    .option(
      '--read-first',
      'read the file first, so that Write can replace it and Edit can replace all',
    )
    .option('--json', 'print the result or the failure as JSON')
    .showHelpAfterError('Help: toolglot exec --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), execExamples)}`)
    .action((tool: string, args: string | undefined, flags: Flags) =>
      run(tool, args, flags, terminal),
    )
}

async function run(
  name: string,
  given: string | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const args = await argumentsText(given, terminal)
  const call = { id: 'exec', name, args: argumentsOf(args) }
  const doubled = args === undefined ? undefined : duplicateKeyProblem(args)
  if (doubled !== undefined) {
    const details = { code: 'duplicate_key' }
    const failure = { tool: name, error_type: 'invalid_input', message: doubled, details } as const
    await showFailure({ status: 'error', failure }, [], flags, terminal)
    throw new Exit(1)
  }
  const before = flags.readFirst && readOf(call)
  const id = `exec-${randomBytes(4).toString('hex')}`
  const workspace = await workspaceForTools(flags, terminal)
  printWarnings(workspace, terminal)
  const permissions = await workspace.permissions()
  const stop = createStopSignal()
  const keyboard = flags.interactive ? keyboardOf(terminal) : undefined
  const { host, tools, checkpoints, warnings, whyDisabled, close } = await openTools(workspace, {
    // Starts only the server of this tool.
    startServer: (server) => name.startsWith(`mcp__${server}__`),
    serverTimeout: SERVER_TIMEOUT,
    signal: stop.signal,
    ...(keyboard && {
      ask: askAtKeyboard({ keyboard, colors: colorsOf(terminal.errors, terminal.env) }),
    }),
  }).catch((error: unknown) => {
    stop.forget()
    throw error
  })
  let current = before ?? call
  const always = (): Promise<readonly string[]> =>
    suggestRules(current, permissions, host.fileSystem)
  let [live, wasAsked] = [false, false]
  try {
    for (const warning of warnings) warn(warning, terminal)
    const disabled = whyDisabled(name)
    if (disabled) {
      const details = { code: 'tool_disabled' }
      const message = `${disabled.reason}.`
      const failure = { tool: name, error_type: 'not_found', message, details } as const
      await showFailure({ status: 'error', failure }, [], flags, terminal)
      throw new Exit(1)
    }
    const options: ExecuteOptions = {
      tools,
      permissions,
      fileSystem: host.fileSystem,
      signal: stop.signal,
      run: id,
      onProgress: (update) => {
        if (!flags.json) live = showProgress(update, terminal) || live
      },
      ...(terminal.ask && {
        approve: async ({ decision }: AskedCall) => {
          wasAsked = true
          return approve(decision, await always(), terminal)
        },
      }),
    }
    let outcome = before && (await execute(before, options))
    // A file that does not exist need not be read first.
    if (!outcome || outcome.status === 'success' || outcome.failure.error_type === 'not_found') {
      current = call
      outcome = await execute(call, options)
    }
    const changes = await checkpoints.changes(id)
    if (changes.length > 0) terminal.errors.write(`To undo this: toolglot undo ${id}\n`)
    if (outcome.status === 'error') {
      const advice = wasAsked ? [] : await adviceOn(outcome.failure, always)
      await showFailure(outcome, advice, flags, terminal)
      throw new Exit(1)
    }
    await showSuccess(outcome, flags, live, terminal)
  } finally {
    stop.forget()
    await close()
  }
}

/** The call of Read that precedes a call with `--read-first`. */
function readOf({ args }: ToolCall): ToolCall {
  const path = args['file_path'] ?? args['path']
  if (typeof path !== 'string')
    throw new UserError('usage', '--read-first requires a call with a file_path')
  return { id: 'read', name: 'Read', args: { file_path: path } }
}

/** In milliseconds: a server may have to be downloaded before it starts. */
const SERVER_TIMEOUT = 60_000

/** Returns true if output was shown. */
function showProgress(update: ToolProgress, { output, errors }: Terminal): boolean {
  if (update.type !== 'output') return false
  const screen = update.stream === 'stdout' ? output : errors
  screen.write(visible(update.text))
  return true
}

async function approve(
  decision: Decision,
  always: readonly string[],
  terminal: Terminal,
): Promise<{ verdict: 'allow' | 'deny' }> {
  const colors = colorsOf(terminal.errors, terminal.env)
  terminal.errors.write(showDecision(decision, always, { colors, verbose: false }))
  const answer = await terminal.ask!('Run it? [y/N] ')
  return { verdict: isYes(answer) ? 'allow' : 'deny' }
}

async function showFailure(
  outcome: Extract<ExecuteResult, { status: 'error' }>,
  advice: readonly string[],
  { json }: Flags,
  { output, errors, env }: Terminal,
): Promise<void> {
  const { error_type, message } = outcome.failure
  const { red } = colorsOf(errors, env)
  if (json) await write(output, `${toJson(outcome, { indent: 2 })}\n`)
  else errors.write(`${red(`${error_type}:`)} ${visible(message)}\n`)
  for (const line of advice) errors.write(`${line}\n`)
}

async function showSuccess(
  outcome: Extract<ExecuteResult, { status: 'success' }>,
  { json }: Flags,
  live: boolean,
  terminal: Terminal,
): Promise<void> {
  if (json) await write(terminal.output, `${toJson(outcome, { indent: 2 })}\n`)
  if (!json && !live) await write(terminal.output, `${visible(outcome.text)}\n`)
  const { notes, task, code } = partsOf(outcome.result)
  if (!json && live) for (const note of notes) terminal.errors.write(`${visible(note)}\n`)
  if (task !== undefined)
    terminal.errors.write(
      `exec runs a single call, so ${visibleLine(task)} and its child processes are stopped now\n`,
    )
  // A command's exit code becomes the exit code of `exec`.
  if (code !== 0) throw new Exit(code)
}

/** Advice on a failure that only the user can fix, not a model. */
async function adviceOn(
  { error_type, details }: ToolFailure,
  rules: () => Promise<readonly string[]>,
): Promise<string[]> {
  const code = details?.['code']
  if (code === 'not_read' || code === 'read_first')
    return ['exec runs a single call, so no file has been read before: add --read-first']
  if (error_type !== 'permission_denied') return []
  return (await rules()).map((rule) => `To allow it: --allow ${visibleLine(shellWord(rule))}`)
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The parts of a command's result. The results of other tools may have any shape. */
function partsOf(result: unknown): { code: number; task?: string; notes: readonly string[] } {
  const { exit_code, task_id, notes } = Object(result) as Record<string, unknown>
  return {
    code: typeof exit_code === 'number' ? exit_code : 0,
    task: typeof task_id === 'string' ? task_id : undefined,
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [],
  }
}
