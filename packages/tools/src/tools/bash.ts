import { type Tool, tool, type ToolContext, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { CommandResult, Processes } from '../host/processes.ts'
import { rememberOutput, rememberShell, resumeCommands } from '../command/find-task.ts'
import { createLiveOutput } from '../output/live-output.ts'
import { exitCodeMeaning } from '../command/exit-codes.ts'

const MAX_TIMEOUT = 600_000
const DEFAULT_TIMEOUT = 120_000

const parameters = z.strictObject({
  command: z.string().min(1).describe('Bash command to run.'),
  timeout: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT)
    .optional()
    .describe(`Timeout in milliseconds. Default ${DEFAULT_TIMEOUT}, maximum ${MAX_TIMEOUT}.`),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Directory for this command. Default: where the previous command ended.'),
  run_in_background: z
    .boolean()
    .optional()
    .describe(
      'Run in the background and return immediately. Read the output with BashOutput, stop the command with KillShell.',
    ),
  background_on_timeout: z
    .boolean()
    .optional()
    .describe('On timeout, move the command to the background instead of stopping it.'),
  interactive: z
    .boolean()
    .optional()
    .describe(
      'With run_in_background: accept input from BashInput. Default false: stdin is empty.',
    ),
  description: z.string().optional().describe('Short description of the command for the user.'),
})

/** Arguments of Bash. */
export interface BashArguments {
  readonly command: string
  readonly timeout?: number | undefined
  readonly cwd?: string | undefined
  readonly run_in_background?: boolean | undefined
  readonly background_on_timeout?: boolean | undefined
  readonly interactive?: boolean | undefined
  readonly description?: string | undefined
}

/** The result of Bash. */
export interface BashResult {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number
  readonly signal?: string
  readonly timed_out?: boolean
  readonly truncated?: boolean
  /** File with the complete output. */
  readonly output_file?: string
  /** Set for a command in the background. */
  readonly task_id?: string
  readonly pid?: number
  readonly duration_ms?: number
  /** Name of the sandbox it ran in, or `none`. */
  readonly sandbox?: string
  readonly cwd?: string
  readonly notes?: readonly string[]
  /** The notes that the user should also see. */
  readonly warnings?: readonly string[]
}

/** Creates the Bash tool, which runs shell commands. */
export function bashTool(host: Host): Tool<BashArguments, BashResult> {
  return tool({
    name: 'Bash',
    description:
      'Run a shell command and return its output and exit code. stdin is empty, except in the background with interactive: true. The next command starts in the same working directory, but without the variables.',
    parameters,
    access: canonicalTools.get('Bash')!,
    level: 1,
    timeout: MAX_TIMEOUT + 5000,
    async execute(args, context) {
      if (args.interactive && !args.run_in_background)
        throw new ToolError('invalid_input', 'interactive requires run_in_background: true.')
      try {
        return await (args.run_in_background
          ? startInBackground(host.processes, args, context)
          : runToEnd(host.processes, args, context))
      } finally {
        rememberShell(host.processes, context)
      }
    },
    network: async ({ command }) =>
      typeof command === 'string' ? await host.processes.network?.(command) : undefined,
    resume: (run, remembered) => resumeCommands(host.processes, run, remembered),
    show: showBash,
  })
}

async function startInBackground(
  processes: Processes,
  { command, timeout, cwd, interactive: stdin }: BashArguments,
  context: ToolContext,
): Promise<BashResult> {
  const { signal, network, original, checkCode: beforeStart } = context
  const options = { cwd, timeout, signal, stdin, network, original, beforeStart }
  const task = await processes.start(command, options)
  rememberOutput(context, task.outputFile, task.id)
  return {
    stdout: '',
    stderr: '',
    exit_code: 0,
    task_id: task.id,
    output_file: task.outputFile,
    pid: task.pid,
    sandbox: task.sandbox,
  }
}

async function runToEnd(
  processes: Processes,
  { command, timeout = DEFAULT_TIMEOUT, cwd, background_on_timeout }: BashArguments,
  context: ToolContext,
): Promise<BashResult> {
  const { output: onOutput, end } = createLiveOutput((update) => context.progress(update))
  try {
    const { signal, network, original, checkCode: beforeStart } = context
    const continueInBackground = background_on_timeout
    const own = { cwd, timeout, signal, network, original, beforeStart }
    const options = { ...own, continueInBackground, onOutput }
    const ended = await processes.run(command, options)
    const { outputFile, task } = ended
    if (task) rememberOutput(context, task.outputFile, task.id)
    else if (outputFile !== undefined) rememberOutput(context, outputFile, null)
    return resultOf(original ?? command, ended, processes.cwd)
  } finally {
    end()
  }
}

function resultOf(command: string, ended: CommandResult, cwd: string): BashResult {
  const { stdout, stderr, exitCode, signal, timedOut, truncated, outputFile, sandbox, task } = ended
  const meaning = ended.timedOut ? undefined : exitCodeMeaning(command, exitCode)
  const notes = [
    ...(meaning === undefined ? [] : [`Exit code ${exitCode}: ${meaning}. This is not an error.`]),
    ...ended.notes,
  ]
  return {
    stdout,
    stderr,
    exit_code: exitCode,
    signal,
    timed_out: timedOut ? true : undefined,
    truncated: truncated || undefined,
    output_file: outputFile || undefined,
    ...(task && { task_id: task.id, pid: task.pid }),
    duration_ms: ended.duration,
    sandbox,
    cwd,
    notes: notes.length > 0 ? notes : undefined,
    ...withWarnings(ended.warnings),
  }
}

/**
 * The maximum number of warnings, and the maximum length of each in characters: commands choose the
 * names of files.
 */
const MAX_WARNINGS = 20
const MAX_WARNING = 500

/** The warnings of a result, if there are any. */
export function withWarnings(warnings: readonly string[] = []): Pick<BashResult, 'warnings'> {
  if (warnings.length === 0) return {}
  const cut = (text: string): string =>
    text.length > MAX_WARNING
      ? `${text.slice(0, MAX_WARNING / 2)} … ${text.slice(-MAX_WARNING / 2)}`
      : text
  const left = warnings.length - MAX_WARNINGS
  const more = left > 0 ? [`There are ${left} more. List all with: toolglot restore`] : []
  return { warnings: [...warnings.slice(0, MAX_WARNINGS).map(cut), ...more] }
}

function showBash(result: BashResult): string {
  const { stdout, stderr, exit_code: code, signal, notes = [], task_id: task } = result
  if (task !== undefined && !result.timed_out)
    return `Started ${task} (process ${result.pid}). Read its output with BashOutput, or in ${result.output_file}.`
  const isExplained = notes[0]?.startsWith('Exit code')
  const end = signal ? `Ended by ${signal}` : `Exit code ${code}`
  const parts = [
    stdout.trimEnd(),
    stderr.trimEnd(),
    ...(code === 0 || isExplained ? [] : [end]),
    ...notes,
  ].filter((part) => part !== '')
  return parts.length > 0 ? parts.join('\n') : '(no output)'
}
