import { type Tool, tool } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { Task } from '../host/processes.ts'
import { findTask } from '../command/find-task.ts'

const parameters = z.strictObject({
  task_id: z.string().min(1).describe('What Bash returned as task_id.'),
})

export interface KillShellArguments {
  readonly task_id: string
}

export interface KillShellResult {
  readonly task_id: string
  /** Stopped; or how it had ended before. */
  readonly status: Task['status']
  readonly exit_code?: number
}

/** Stops a command in the background, and all that came of it. */
export function killShellTool(host: Host): Tool<KillShellArguments, KillShellResult> {
  return tool({
    name: 'KillShell',
    description: 'Stops a background command that Bash started, with everything it started.',
    parameters,
    access: canonicalTools.get('KillShell')!,
    level: 1,
    idempotent: true,
    async execute({ task_id: id }) {
      const task = findTask(host.processes, id)
      await task.stop()
      const { status, exitCode } = task
      return { task_id: id, status, ...(exitCode !== undefined && { exit_code: exitCode }) }
    },
    show: ({ task_id: id, status }) => `[${id}: ${status}]`,
  })
}
