import { ToolError } from '@toolglot/agent'
import type { Processes, Task } from '../host/processes.ts'

/** The task with an id. Throws an error that lists the existing ones if it is unknown. */
export function findTask(processes: Processes, id: string): Task {
  const task = processes.task(id)
  if (task) return task
  const ids = processes.tasks.map((each) => each.id).join(', ')
  const known = ids === '' ? 'No command is running in the background.' : `Known tasks: ${ids}.`
  throw new ToolError('not_found', `Unknown task ${JSON.stringify(id.slice(0, 80))}. ${known}`, {
    code: 'no_task',
  })
}
