import { ToolError } from '@toolglot/agent'
import type { Processes, Task } from '../host/processes.ts'

/** The task of an id; where there is none, it is said which there are. */
export function findTask(processes: Processes, id: string): Task {
  const task = processes.task(id)
  if (task) return task
  const ids = processes.tasks.map((one) => one.id).join(', ')
  const known = ids === '' ? 'No command runs in the background.' : `There are ${ids}.`
  throw new ToolError(
    'not_found',
    `There is no task ${JSON.stringify(id.slice(0, 80))}. ${known}`,
    {
      code: 'no_task',
    },
  )
}
