import { spawn } from 'node:child_process'
import { type Tool, tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { rgPath } from '@vscode/ripgrep'
import { withWarnings } from './bash.ts'
import type { Host } from '../host/host.ts'
import type { Task } from '../host/processes.ts'
import { findTask } from '../command/find-task.ts'

const MAX_WAIT = 600_000

const parameters = z.strictObject({
  task_id: z.string().min(1).describe('The task_id returned by Bash.'),
  wait_ms: z
    .int()
    .min(0)
    .max(MAX_WAIT)
    .optional()
    .describe(
      'Maximum time to wait for the command to end, in milliseconds; with a filter, for a matching line. Default 0.',
    ),
  filter: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Regular expression: return only matching lines. Other lines are discarded and not returned by later calls.',
    ),
})

/** Arguments of BashOutput. */
export interface BashOutputArguments {
  readonly task_id: string
  readonly wait_ms?: number | undefined
  readonly filter?: string | undefined
}

/** The result of BashOutput. */
export interface BashOutputResult {
  readonly task_id: string
  readonly status: Task['status']
  /** Output since the previous call. */
  readonly output: string
  readonly exit_code?: number
  readonly truncated?: boolean
  readonly output_file: string
  readonly notes?: readonly string[]
  /** The notes that the user should also see. */
  readonly warnings?: readonly string[]
}

/** Creates the BashOutput tool, which reads the new output of a background command and can wait for it. */
export function bashOutputTool(host: Host): Tool<BashOutputArguments, BashOutputResult> {
  return tool({
    name: 'BashOutput',
    description:
      'Read the status of a background command, and its output since the previous call. Can wait for it to end.',
    parameters,
    access: canonicalTools.get('BashOutput')!,
    level: 1,
    repeatable: true,
    timeout: MAX_WAIT + 5000,
    async execute({ task_id: id, wait_ms: wait = 0, filter }, context) {
      const { signal } = context
      const task = findTask(host.processes, id, context)
      const until = performance.now() + wait
      const left = (): number => Math.max(0, until - performance.now())
      if (filter === undefined && wait > 0) await task.wait({ timeout: wait, signal })
      const notes: string[] = []
      for (let output = '', truncated = false; ;) {
        const { status, exitCode } = task
        const read = await task.read()
        output += filter === undefined ? read.text : await matchingLines(read.text, filter)
        truncated ||= read.truncated
        notes.push(...(read.notes ?? []))
        if (filter === undefined || output !== '' || status !== 'running' || left() === 0)
          return {
            task_id: id,
            status,
            output,
            exit_code: exitCode,
            truncated: truncated || undefined,
            output_file: task.outputFile,
            notes: notes.length > 0 ? notes : undefined,
            ...withWarnings(notes),
          }
        await task.wait({ timeout: Math.min(left(), 1000), signal, untilOutput: true })
        await task.wait({ timeout: Math.min(left(), SETTLE_TIME), signal })
      }
    },
    show({ status, output, exit_code: code, task_id: id, notes = [] }) {
      const end = code === undefined ? '' : `, exit code ${code}`
      return [output.trimEnd(), ...notes, `[${id}: ${status}${end}]`]
        .filter((part) => part !== '')
        .join('\n')
    },
  })
}

/** The time to wait for the rest of a line, in milliseconds, because lines arrive in pieces. */
const SETTLE_TIME = 50

/** The lines of a text that match a regular expression, found by ripgrep in linear time. */
async function matchingLines(text: string, pattern: string): Promise<string> {
  const args = ['--no-config', '--no-line-number', '--color=never', '--text', '-e', pattern, '-']
  const child = spawn(rgPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let found = ''
  let problem = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (found += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (problem += part))
  child.stdin.on('error', () => {}) // ripgrep ends early if the pattern is invalid.
  child.stdin.end(text)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0 || code === 1) return found
  throw new ToolError(
    'invalid_input',
    `filter must be a valid regular expression: ${problem.trim()}`,
    {
      code: 'invalid_regex',
    },
  )
}
