import { type Tool, tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { findTask } from '../command/find-task.ts'

const parameters = z.strictObject({
  task_id: z.string().min(1).describe('What Bash returned as task_id.'),
  input: z
    .string()
    .max(100_000)
    .describe('What it shall read, to the letter: a line ends with a line break.'),
  end: z.boolean().optional().describe('Nothing more will come: it finds the end of its input.'),
})

export interface BashInputArguments {
  readonly task_id: string
  readonly input: string
  readonly end?: boolean | undefined
}

export interface BashInputResult {
  readonly task_id: string
  readonly written: number
}

/** Writes to a command in the background. What it does with it nobody can tell beforehand, so that a person is asked. */
export function bashInputTool(host: Host): Tool<BashInputArguments, BashInputResult> {
  return tool({
    name: 'BashInput',
    description:
      'Writes text to a background command that Bash started with interactive: true; read its answer with BashOutput.',
    parameters,
    access: canonicalTools.get('BashInput')!,
    level: 1,
    repeatable: true,
    async execute({ task_id: id, input, end = false }) {
      const task = findTask(host.processes, id)
      try {
        await task.write(input, { end })
      } catch (error) {
        const message = `Nothing can be written to ${id}: ${(error as Error).message}.`
        throw new ToolError('execution_failed', message, { code: 'no_input', status: task.status })
      }
      return { task_id: id, written: Buffer.byteLength(input) }
    },
    show: ({ task_id: id, written }) => `Wrote ${written} bytes to ${id}.`,
  })
}
