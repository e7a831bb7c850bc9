import { type ListedProcess, listProcesses, findProcess } from './list-processes.ts'
import { taskMarkOf } from './task-mark.ts'

/** A command and everything that came of it. */
export interface ProcessTree {
  /** Of the first process, which leads a group and a session of its own. */
  readonly pid: number
  readonly started: number
  /** What stands in the environment of each. */
  readonly mark: string
}

/** Near are those of the first one's session or group; all are those that left it, too. */
export interface TreeMembers {
  readonly near: ListedProcess[]
  readonly all: ListedProcess[]
}

/** Those of some trees that have not ended: by session, by group, by mark, by parent. */
export function membersOf(
  trees: readonly ProcessTree[],
  listed: readonly ListedProcess[] = listProcesses(),
): Map<ProcessTree, TreeMembers> {
  const members = new Map(
    trees.map((tree): [ProcessTree, TreeMembers] => [tree, { near: [], all: [] }]),
  )
  const processes = new Map(listed.map((one) => [one.pid, one]))
  const byMark = new Map(trees.map((tree) => [tree.mark, tree]))
  // The system gives a number again only when no group or session has it any more.
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
    // Up from each to the first that is known, or has a mark.
    const way: number[] = []
    let owner: ProcessTree | undefined
    let next: ListedProcess | undefined = one
    while (next && next.started >= oldest && next.pid !== process.pid) {
      if (owners.has(next.pid)) {
        owner = owners.get(next.pid)
        break
      }
      way.push(next.pid)
      owners.set(next.pid, undefined)
      owner = nearOf(next) ?? byMark.get(taskMarkOf(next) ?? '')
      if (owner) break
      next = processes.get(next.parent)
    }
    for (const pid of way) owners.set(pid, owner)
    if (!owner || one.pid === process.pid) continue
    members.get(owner)!.all.push(one)
    if (nearOf(one) === owner) members.get(owner)!.near.push(one)
  }
  return members
}

/** Every process that carries a mark which begins so. */
export function markedProcesses(
  beginning: string,
  listed: readonly ListedProcess[],
): ListedProcess[] {
  return listed.filter((one) => one.pid !== process.pid && taskMarkOf(one)?.startsWith(beginning))
}

/** Sends a signal to these processes of those that were just listed: to a whole group at once, where all of it is meant. */
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

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // All of it ended since.
  }
}

/** Sends a signal to exactly this process: not to ourselves, not to one that has its number now. */
export function signalProcess({ pid, started }: ListedProcess, signal: NodeJS.Signals): void {
  if (pid <= 1 || pid === process.pid || findProcess(pid)?.started !== started) return
  try {
    process.kill(pid, signal)
  } catch {
    // It ended since.
  }
}
