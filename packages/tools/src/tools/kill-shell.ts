import { type Tool, tool } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { Task } from '../host/processes.ts'
import { findTask } from '../command/find-task.ts'

const parameters = z.strictObject({
  task_id: z.string().min(1).describe('The task_id returned by Bash.'),
})

/** Arguments of KillShell. */
export interface KillShellArguments {
  readonly task_id: string
}

/** The result of KillShell. */
export interface KillShellResult {
  readonly task_id: string
  /** `stopped`, or the status if it had already ended. */
  readonly status: Task['status']
  readonly exit_code?: number
}

/** Creates the KillShell tool, which stops a background command and its child processes. */
export function killShellTool(host: Host): Tool<KillShellArguments, KillShellResult> {
  return tool({
    name: 'KillShell',
    description: 'Stop a background command and all of its child processes.',
    parameters,
    access: canonicalTools.get('KillShell')!,
    level: 1,
    idempotent: true,
    async execute({ task_id: id }, context) {
      const task = findTask(host.processes, id, context)
      await task.stop()
      const { status, exitCode } = task
      return { task_id: id, status, exit_code: exitCode }
    },
    show: ({ task_id: id, status }) => `[${id}: ${status}]`,
  })
}
