import { type Tool, tool } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { Task } from '../host/processes.ts'
import { matchingLines } from '../output/matching-lines.ts'
import { findTask } from '../command/find-task.ts'

const LONGEST = 600_000

const parameters = z.strictObject({
  task_id: z.string().min(1).describe('What Bash returned as task_id.'),
  wait_ms: z
    .int()
    .min(0)
    .max(LONGEST)
    .optional()
    .describe(
      'Wait so many milliseconds at most for it to end; with a filter, for a line that matches.',
    ),
  filter: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A regular expression: only lines that match are told. The others are not told later, either.',
    ),
})

export interface BashOutputArguments {
  readonly task_id: string
  readonly wait_ms?: number | undefined
  readonly filter?: string | undefined
}

export interface BashOutputResult {
  readonly task_id: string
  readonly status: Task['status']
  /** What is new since the last time. */
  readonly output: string
  readonly exit_code?: number
  readonly truncated?: boolean
  readonly output_file: string
}

/** Reads what a command in the background wrote since the last time; waits for it, if asked to. */
export function bashOutputTool(host: Host): Tool<BashOutputArguments, BashOutputResult> {
  return tool({
    name: 'BashOutput',
    description:
      'Reads what a background command has written since the last time, and whether it still runs. Can wait for its end.',
    parameters,
    access: canonicalTools.get('BashOutput')!,
    level: 1,
    repeatable: true,
    timeout: LONGEST + 5000,
    async execute({ task_id: id, wait_ms: wait = 0, filter }, { signal }) {
      const task = findTask(host.processes, id)
      const until = performance.now() + wait
      const left = (): number => Math.max(0, until - performance.now())
      if (filter === undefined && wait > 0) await task.wait({ timeout: wait, signal })
      for (let output = '', truncated = false; ;) {
        const { status, exitCode } = task
        const read = await task.read()
        output += filter === undefined ? read.text : await matchingLines(read.text, filter)
        truncated ||= read.truncated
        if (filter === undefined || output !== '' || status !== 'running' || left() === 0)
          return {
            task_id: id,
            status,
            output,
            ...(exitCode !== undefined && { exit_code: exitCode }),
            ...(truncated && { truncated }),
            output_file: task.outputFile,
          }
        await task.wait({ timeout: Math.min(left(), 1000), signal, untilOutput: true })
        await task.wait({ timeout: Math.min(left(), SETTLE), signal })
      }
    },
    show({ status, output, exit_code: code, task_id: id }) {
      const end = code === undefined ? '' : `, exit code ${code}`
      return [output.trimEnd(), `[${id}: ${status}${end}]`].filter((part) => part !== '').join('\n')
    },
  })
}

/** A line comes in pieces: so many milliseconds are given to the rest of it. */
const SETTLE = 50
