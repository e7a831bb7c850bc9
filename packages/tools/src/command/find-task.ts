import { type ToolContext, ToolError } from '@toolglot/agent'
import type { Processes, Task } from '../host/processes.ts'
import { outputOfTask } from './earlier-commands.ts'

/**
 * The task with an id. Throws if it is unknown, with a list of the existing ones, or if the run started it in an earlier
 * process: a task of another run may have the same id here.
 */
export function findTask(
  processes: Processes,
  id: string,
  { run }: Pick<ToolContext, 'run'>,
): Task {
  const task = processes.task(id)
  const output = outputOfTask(processes, run, id)
  if (task && (output === undefined || output === task.outputFile)) return task
  const name = JSON.stringify(id.slice(0, 80))
  if (output !== undefined)
    throw new ToolError(
      'not_found',
      `Task ${name} was started before this run moved to another process, and background commands end with their process. Its output until then is in ${output}. If it is still needed, start the command again with Bash.`,
      { code: 'task_of_earlier_process', output_file: output },
    )
  const ids = processes.tasks.map((each) => each.id).join(', ')
  const known = ids === '' ? 'No command is running in the background.' : `Known tasks: ${ids}.`
  throw new ToolError('not_found', `Unknown task ${name}. ${known}`, { code: 'no_task' })
}
