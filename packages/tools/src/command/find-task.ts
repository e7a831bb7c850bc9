import { type ToolContext, ToolError } from '@toolglot/agent'
import { z } from 'zod'
import type { Processes, Task } from '../host/processes.ts'

/**
 * The task with an id. Throws with a list of existing tasks if it is unknown, and also if the run
 * started it in an earlier process, because a task of another run may have the same id here.
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

/** Files with the output of commands, each with the id of the task that wrote it, if any. */
type Outputs = ReadonlyMap<string, string | null>

/** Records where the next command starts. */
export function rememberShell(processes: Processes, { remember }: ToolContext): void {
  const { cwd: folder, started } = processes
  remember?.(SHELL_KEY, { folder, started })
}

/** Records that a command wrote a file for the model to read, with the id of its task, if any. */
export function rememberOutput({ remember }: ToolContext, file: string, task: string | null): void {
  remember?.(`${OUTPUT_KEY}${file}`, task)
}

/** Restores a run's records of the commands that it ran in other processes. */
export async function resumeCommands(
  processes: Processes,
  run: string,
  remembered: ReadonlyMap<string, unknown>,
): Promise<void> {
  const outputs = outputsIn(remembered)
  const runs = earlierTasks.get(processes) ?? new Map<string, ReadonlyMap<string, string>>()
  earlierTasks.set(processes, runs.set(run, tasksIn(outputs)))
  const shell = storedShell.safeParse(remembered.get(SHELL_KEY))
  await processes.restore?.({ ...shell.data, outputs: [...outputs.keys()] })
}

/** The file with the output of a task that the run started, perhaps in another process. */
function outputOfTask(
  processes: Processes,
  run: string | undefined,
  task: string,
): string | undefined {
  return earlierTasks
    .get(processes)
    ?.get(run ?? '')
    ?.get(task)
}

const earlierTasks = new WeakMap<Processes, Map<string, ReadonlyMap<string, string>>>()

const SHELL_KEY = 'shell'
const OUTPUT_KEY = 'output:'

const storedShell = z.object({
  folder: z.string(),
  started: z.int().min(0).max(1_000_000_000).optional(),
})

function outputsIn(remembered: ReadonlyMap<string, unknown>): Outputs {
  const found = new Map<string, string | null>()
  for (const [key, task] of remembered)
    if (key.startsWith(OUTPUT_KEY))
      found.set(key.slice(OUTPUT_KEY.length), typeof task === 'string' ? task : null)
  return found
}

function tasksIn(outputs: Outputs): ReadonlyMap<string, string> {
  return new Map([...outputs].flatMap(([file, task]) => (task === null ? [] : [[task, file]])))
}
