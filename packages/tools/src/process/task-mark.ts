import { readFileSync } from 'node:fs'
import type { ListedProcess } from './list-processes.ts'

/** Environment variable that identifies our processes even after they left their session and their parent. */
export const TASK_VARIABLE = 'TOOLGLOT_TASK'

/** The mark that a process was started with. Undefined if it has none or the system does not report it. */
export function taskMarkOf({ pid, started, parent }: ListedProcess): string | undefined {
  const cached = known.get(pid)
  if (cached?.started === started) return cached.mark
  const mark = readMark(pid)
  if (known.size >= MAX_CACHED) known.clear()
  // A child that is just being started still has our own environment.
  if (mark !== undefined || parent !== process.pid) known.set(pid, { started, mark })
  return mark
}

const known = new Map<number, { readonly started: number; readonly mark: string | undefined }>()
const MAX_CACHED = 10_000

function readMark(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  let variables
  try {
    variables = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
  } catch {
    return undefined // It has ended, or it belongs to another user.
  }
  const place = variables.indexOf(`\0${TASK_VARIABLE}=`)
  if (place < 0) return undefined
  const from = place + TASK_VARIABLE.length + 2
  const end = variables.indexOf('\0', from)
  return variables.slice(from, end < 0 ? undefined : end)
}
