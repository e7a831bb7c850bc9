import { type Tool, tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { CommandResult } from '../host/processes.ts'
import { exitCodeMeaning } from '../command/exit-codes.ts'
import { createLiveOutput } from '../output/live-output.ts'

const LONGEST = 600_000
const DEFAULT = 120_000

const parameters = z.strictObject({
  command: z.string().min(1).describe('The shell command (bash).'),
  timeout: z
    .int()
    .min(1)
    .max(LONGEST)
    .optional()
    .describe(
      `After how many milliseconds it is stopped: ${DEFAULT} if not said, ${LONGEST} at most.`,
    ),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The folder to run it in, this time only. Otherwise it is where the last command ended.',
    ),
  run_in_background: z
    .boolean()
    .optional()
    .describe(
      'Let it run on and return at once; read what it writes with BashOutput, stop it with KillShell.',
    ),
  background_on_timeout: z
    .boolean()
    .optional()
    .describe('When its time is over, let it run on in the background instead of stopping it.'),
  interactive: z
    .boolean()
    .optional()
    .describe('With run_in_background: BashInput can write to it. Otherwise its input is empty.'),
  description: z
    .string()
    .optional()
    .describe('What it does, in a few words, for the person who watches.'),
})

export interface BashArguments {
  readonly command: string
  readonly timeout?: number | undefined
  readonly cwd?: string | undefined
  readonly run_in_background?: boolean | undefined
  readonly background_on_timeout?: boolean | undefined
  readonly interactive?: boolean | undefined
  readonly description?: string | undefined
}

export interface BashResult {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number
  readonly signal?: string
  readonly timed_out?: boolean
  readonly truncated?: boolean
  /** Where all of the output is. */
  readonly output_file?: string
  /** Of a command in the background. */
  readonly task_id?: string
  readonly pid?: number
  readonly duration_ms?: number
  /** What held it back: the name of the sandbox, or none. */
  readonly sandbox?: string
  readonly cwd?: string
  readonly notes?: readonly string[]
}

/** Runs shell commands. */
export function bashTool(host: Host): Tool<BashArguments, BashResult> {
  return tool({
    name: 'Bash',
    description:
      'Runs a shell command and returns what it writes and its exit code. Nothing can be typed into it, unless it is interactive and in the background. `cd` lasts until the next command, variables do not.',
    parameters,
    access: canonicalTools.get('Bash')!,
    level: 1,
    timeout: LONGEST + 5000,
    async execute(args, context) {
      const {
        command,
        timeout,
        cwd,
        interactive: stdin,
        background_on_timeout: continueInBackground,
      } = args
      if (stdin && !args.run_in_background)
        throw new ToolError('invalid_input', 'interactive needs run_in_background: true.')
      if (args.run_in_background) {
        const { signal } = context
        const task = await host.processes.start(command, { cwd, timeout, signal, stdin })
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
      const watched = createLiveOutput((update) => context.progress(update))
      try {
        const { signal } = context
        const onOutput = watched.output
        const options = { cwd, timeout: timeout ?? DEFAULT, signal, continueInBackground, onOutput }
        return resultOf(command, await host.processes.run(command, options), host.processes.cwd)
      } finally {
        watched.end()
      }
    },
    show: showBash,
  })
}

function resultOf(command: string, ended: CommandResult, cwd: string): BashResult {
  const { stdout, stderr, exitCode, signal, timedOut, truncated, outputFile, sandbox, task } = ended
  const meaning = ended.timedOut ? undefined : exitCodeMeaning(command, exitCode)
  const notes = [
    ...(meaning === undefined ? [] : [`Exit code ${exitCode}: ${meaning}. This is no failure.`]),
    ...ended.notes,
  ]
  return {
    stdout,
    stderr,
    exit_code: exitCode,
    ...(signal && { signal }),
    ...(timedOut && { timed_out: true }),
    ...(truncated && { truncated }),
    ...(outputFile && { output_file: outputFile }),
    ...(task && { task_id: task.id, pid: task.pid }),
    duration_ms: ended.duration,
    sandbox,
    cwd,
    ...(notes.length > 0 && { notes }),
  }
}

function showBash(result: BashResult): string {
  const { stdout, stderr, exit_code: code, signal, notes = [], task_id: task } = result
  if (task !== undefined && !result.timed_out)
    return `Started ${task} (process ${result.pid}). Its output goes to ${result.output_file}; read it with BashOutput.`
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
