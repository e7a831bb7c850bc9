import { type Tool, tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { findTask } from '../command/find-task.ts'

const parameters = z.strictObject({
  task_id: z.string().min(1).describe('The task_id returned by Bash.'),
  input: z.string().max(100_000).describe('Exact text to send. End a line with a line break.'),
  end: z.boolean().optional().describe('Close the input after this text. Default false.'),
})

/** Arguments of BashInput. */
export interface BashInputArguments {
  readonly task_id: string
  readonly input: string
  readonly end?: boolean | undefined
}

/** The result of BashInput. */
export interface BashInputResult {
  readonly task_id: string
  /** Number of bytes. */
  readonly written: number
}

/** Creates the BashInput tool, which writes to a background command. Its effect is unknown, so it needs approval. */
export function bashInputTool(host: Host): Tool<BashInputArguments, BashInputResult> {
  return tool({
    name: 'BashInput',
    description:
      'Send text to a background command started with interactive: true. Read its response with BashOutput.',
    parameters,
    access: canonicalTools.get('BashInput')!,
    level: 1,
    repeatable: true,
    async execute({ task_id: id, input, end = false }, context) {
      const task = findTask(host.processes, id, context)
      try {
        await task.write(input, { end })
      } catch (error) {
        const message = `Cannot write to ${id}: ${(error as Error).message}.`
        throw new ToolError('execution_failed', message, { code: 'no_input', status: task.status })
      }
      return { task_id: id, written: Buffer.byteLength(input) }
    },
    show: ({ task_id: id, written }) => `Wrote ${written} bytes to ${id}.`,
  })
}
