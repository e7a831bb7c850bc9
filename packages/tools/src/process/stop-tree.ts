import { setTimeout as delay } from 'node:timers/promises'
import { type ListedProcess, listProcesses, findProcess } from './list-processes.ts'
import {
  type TreeMembers,
  membersOf,
  signalAll,
  signalGroup,
  signalProcess,
  type ProcessTree,
} from './process-tree.ts'

/**
 * Signals every process of a tree to end, and kills those that remain after the grace period (in
 * milliseconds).
 */
export async function stopTree(tree: ProcessTree, grace: number): Promise<void> {
  const began = performance.now()
  stopping.add(tree)
  try {
    await delay(BATCH_DELAY)
    for (const one of membersSince(began, tree)) if (!isSandbox(one)) signalProcess(one, 'SIGTERM')
    const until = began + grace
    for (let pause = 10; performance.now() < until; pause = Math.min(pause * 2, 200)) {
      await delay(Math.max(1, Math.min(pause, until - performance.now())))
      if (membersSince(began, tree).length === 0) return
    }
  } finally {
    stopping.delete(tree)
  }
  await killTree(tree, 'all')
}

/** Trees whose processes were signaled to end. */
const stopping = new Set<ProcessTree>()

/** In milliseconds. Trees that are stopped at the same time share one process listing. */
const BATCH_DELAY = 5

/** Ending a sandbox kills the processes inside before they can shut down. */
function isSandbox({ name }: ListedProcess): boolean {
  return name === 'bwrap'
}

/** Kills the remaining processes of a tree. Returns their number. */
export async function killTree(tree: ProcessTree, reach: keyof TreeMembers): Promise<number> {
  return await killUntilGone((members) => members(tree)[reach], tree)
}

/** Repeatedly kills the processes that `find` returns until it returns none. */
export async function killFound(
  find: (listed: readonly ListedProcess[]) => readonly ListedProcess[],
): Promise<void> {
  await killUntilGone((_, listed) => find(listed))
}

interface Killing {
  readonly tree: ProcessTree | undefined
  readonly find: (
    members: (tree: ProcessTree) => TreeMembers,
    listed: readonly ListedProcess[],
  ) => readonly ListedProcess[]
  readonly frozen: Set<string>
  readonly ended: Set<string>
  readonly until: number
  readonly done: (count: number) => void
}

const killings = new Set<Killing>()
/** The timeout in milliseconds. A process that has not ended by then never will. */
const KILL_TIMEOUT = 10_000

async function killUntilGone(find: Killing['find'], tree?: ProcessTree): Promise<number> {
  return await new Promise((done) => {
    const until = performance.now() + KILL_TIMEOUT
    // Freeze the group of the first process, so that it cannot fork during the search for the other
    // processes.
    if (tree && findProcess(tree.pid)?.started === tree.started) signalGroup(tree.pid, 'SIGSTOP')
    killings.add({ tree, find, frozen: new Set(), ended: new Set(), until, done })
    if (killings.size === 1) void killAll()
  })
}

/**
 * Kills many trees together with a shared process listing. All processes of a tree are frozen
 * first: a process that is still running could fork, and its children could not be found after its
 * end.
 */
async function killAll(): Promise<void> {
  while (killings.size > 0) {
    const trees = [...killings].flatMap(({ tree }) => tree ?? [])
    const listed = listProcesses()
    const members = membersOf(trees, listed)
    for (const ending of killings) {
      const found = ending.find((tree) => members.get(tree)!, listed)
      const isOver = performance.now() > ending.until
      if (isOver) signalAll(found, listed, 'SIGKILL')
      if (found.length === 0 || isOver) {
        killings.delete(ending)
        ending.done(ending.ended.size)
      } else freezeOrKill(found, listed, ending)
    }
    if (killings.size > 0) await delay(2)
  }
}

function freezeOrKill(
  found: readonly ListedProcess[],
  listed: readonly ListedProcess[],
  { frozen, ended }: Killing,
): void {
  const fresh = found.some((one) => !frozen.has(keyOf(one)))
  signalAll(found, listed, fresh ? 'SIGSTOP' : 'SIGKILL')
  for (const one of found) (fresh ? frozen : ended).add(keyOf(one))
}

function keyOf({ pid, started }: ListedProcess): string {
  return `${pid} ${started}`
}

let lastLook:
  | {
      readonly began: number
      readonly until: number
      readonly members: Map<ProcessTree, TreeMembers>
    }
  | undefined

/**
 * The processes of a tree at a moment after `time`. The longer a listing takes, the longer it is
 * reused.
 */
function membersSince(time: number, tree: ProcessTree): readonly ListedProcess[] {
  const began = performance.now()
  const known =
    lastLook && lastLook.began >= time && began < lastLook.until && lastLook.members.get(tree)
  if (known) return known.all
  const members = membersOf([...stopping])
  const took = performance.now() - began
  lastLook = { began, until: began + Math.max(20, 10 * took), members }
  return members.get(tree)!.all
}
