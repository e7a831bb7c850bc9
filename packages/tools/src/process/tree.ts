import { readFileSync } from 'node:fs'
import { type ListedProcess, listProcesses, processOf } from './list.ts'

/** A command and everything that came of it. */
export interface Tree {
  /** Of the first process, which leads a group and a session of its own. */
  readonly pid: number
  readonly started: number
  /** What stands in the environment of each, as `TOOLGLOT_TASK`. */
  readonly mark: string
}

/** The variable by which processes are known that left their session and lost their parent. */
export const MARK = 'TOOLGLOT_TASK'

/** Those of a tree that have not ended: by session, by group, by parent, by mark. */
export function membersOf(tree: Tree, listed: readonly ListedProcess[] = listProcesses()): Members {
  const candidates = listed.filter(
    ({ pid, started }) => pid !== process.pid && started >= tree.started,
  )
  const first = candidates.find(({ pid }) => pid === tree.pid)
  // The system gives a number again only when no group or session has it any more.
  const isReused = first !== undefined && first.started !== tree.started
  const near = new Map<number, ListedProcess>()
  if (!isReused)
    for (const one of candidates)
      if (one.session === tree.pid || one.group === tree.pid || one.pid === tree.pid)
        near.set(one.pid, one)

  const all = new Map(near)
  for (const one of candidates)
    if (!all.has(one.pid) && isMarked(one, tree.mark)) all.set(one.pid, one)
  for (let size = -1; size !== all.size;) {
    size = all.size
    for (const one of candidates) if (all.has(one.parent)) all.set(one.pid, one)
  }
  return { near: [...near.values()], all: [...all.values()] }
}

/** Near are those of the first one's session or group; all are those that left it, too. */
export interface Members {
  readonly near: readonly ListedProcess[]
  readonly all: readonly ListedProcess[]
}

/** Every process that carries a mark, or one that begins so. */
export function marked(mark: string): ListedProcess[] {
  return listProcesses().filter((one) => one.pid !== process.pid && isMarked(one, mark))
}

function isMarked({ pid }: ListedProcess, mark: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`)
  } catch {
    return false // It ended, or it is another user's.
  }
}

/** Sends a signal to exactly this process: not to ourselves, not to one that has its number now. */
export function signalProcess({ pid, started }: ListedProcess, signal: NodeJS.Signals): void {
  if (pid <= 1 || pid === process.pid || processOf(pid)?.started !== started) return
  try {
    process.kill(pid, signal)
  } catch {
    // It ended since.
  }
}
