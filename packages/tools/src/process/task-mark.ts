import { readFileSync } from 'node:fs'
import type { ListedProcess } from './list-processes.ts'

/** The variable by which processes are known that left their session and lost their parent. */
export const TASK_VARIABLE = 'TOOLGLOT_TASK'

/** What a process was marked with when it was made: whose it is. Undefined where the system does not tell. */
export function taskMarkOf({ pid, started, parent }: ListedProcess): string | undefined {
  const cached = known.get(pid)
  if (cached?.started === started) return cached.mark
  const mark = readMark(pid)
  if (known.size >= MANY) known.clear()
  // What we are just making has our own variables for a moment.
  if (mark !== undefined || parent !== process.pid) known.set(pid, { started, mark })
  return mark
}

const known = new Map<number, { readonly started: number; readonly mark: string | undefined }>()
const MANY = 10_000

function readMark(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  let variables
  try {
    variables = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
  } catch {
    return undefined // It ended, or it is another user's.
  }
  const place = variables.indexOf(`\0${TASK_VARIABLE}=`)
  if (place < 0) return undefined
  const from = place + TASK_VARIABLE.length + 2
  const end = variables.indexOf('\0', from)
  return variables.slice(from, end < 0 ? undefined : end)
}
