// Folder: Process trees: started, watched and ended.
import { readFileSync } from 'node:fs'
import { type ListedProcess, listProcesses, findProcess } from './list-processes.ts'

/** A command and all of its descendants. */
export interface ProcessTree {
  /** Pid of the first process, which leads its own group and session. */
  readonly pid: number
  readonly started: number
  /** The value of `TASK_VARIABLE` in their environment. */
  readonly mark: string
}

/** `near`: those in the session or group of the first process; `all`: including those that left it. */
export interface TreeMembers {
  readonly near: ListedProcess[]
  readonly all: ListedProcess[]
}

/** The running processes of some trees, found by session, group, mark and parent. */
export function membersOf(
  trees: readonly ProcessTree[],
  listed: readonly ListedProcess[] = listProcesses(),
): Map<ProcessTree, TreeMembers> {
  const members = new Map(
    trees.map((tree): [ProcessTree, TreeMembers] => [tree, { near: [], all: [] }]),
  )
  const processes = new Map(listed.map((one) => [one.pid, one]))
  const byMark = new Map(trees.map((tree) => [tree.mark, tree]))
  // A pid is reused only after no group or session has it.
  const isReused = ({ pid, started }: ProcessTree): boolean =>
    (processes.get(pid)?.started ?? started) !== started
  const byNumber = new Map(trees.filter((tree) => !isReused(tree)).map((tree) => [tree.pid, tree]))
  const oldest = Math.min(...trees.map(({ started }) => started))

  const nearOf = (one: ListedProcess): ProcessTree | undefined => {
    const tree = byNumber.get(one.session) ?? byNumber.get(one.group)
    return tree && one.started >= tree.started ? tree : undefined
  }
  const owners = new Map<number, ProcessTree | undefined>()
  for (const one of listed) {
    // Walk up to the first ancestor that belongs to a known tree.
    const visited: number[] = []
    let owner: ProcessTree | undefined
    let next: ListedProcess | undefined = one
    while (next && next.started >= oldest && next.pid !== process.pid) {
      if (owners.has(next.pid)) {
        owner = owners.get(next.pid)
        break
      }
      visited.push(next.pid)
      owners.set(next.pid, undefined)
      owner = nearOf(next) ?? byMark.get(taskMarkOf(next) ?? '')
      if (owner) break
      next = processes.get(next.parent)
    }
    for (const pid of visited) owners.set(pid, owner)
    if (!owner || one.pid === process.pid) continue
    members.get(owner)!.all.push(one)
    if (nearOf(one) === owner) members.get(owner)!.near.push(one)
  }
  return members
}

/** The processes whose mark starts with a prefix. */
export function markedProcesses(
  beginning: string,
  listed: readonly ListedProcess[],
): ListedProcess[] {
  return listed.filter((one) => one.pid !== process.pid && taskMarkOf(one)?.startsWith(beginning))
}

/** Signals some of the listed processes. A group is signaled as a whole if all of it is included. */
export function signalAll(
  processes: readonly ListedProcess[],
  listed: readonly ListedProcess[],
  signal: NodeJS.Signals,
): void {
  const meant = new Set(processes.map(({ pid }) => pid))
  const shared = new Set(listed.filter(({ pid }) => !meant.has(pid)).map(({ group }) => group))
  const groups = new Set<number>()
  for (const one of processes) {
    if (one.group <= 1 || shared.has(one.group)) signalProcess(one, signal)
    else groups.add(one.group)
  }
  for (const group of groups) signalGroup(group, signal)
}

/** Signals a process group, if it still exists. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // All processes of the group have ended.
  }
}

/** Signals exactly this process: never our own, nor another one with the same pid. */
export function signalProcess({ pid, started }: ListedProcess, signal: NodeJS.Signals): void {
  if (pid <= 1 || pid === process.pid || findProcess(pid)?.started !== started) return
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended.
  }
}

/**
 * The environment variable that identifies our processes even after they left their session and
 * their parent.
 */
export const TASK_VARIABLE = 'TOOLGLOT_TASK'

/**
 * The mark with which a process was started. Undefined if it has no mark or the system does not
 * report it.
 */
function taskMarkOf({ pid, started, parent }: ListedProcess): string | undefined {
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
    return undefined // The process has ended, or it belongs to another user.
  }
  const place = variables.indexOf(`\0${TASK_VARIABLE}=`)
  if (place < 0) return undefined
  const from = place + TASK_VARIABLE.length + 2
  const end = variables.indexOf('\0', from)
  return variables.slice(from, end < 0 ? undefined : end)
}
