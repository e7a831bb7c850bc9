import { setTimeout as delay } from 'node:timers/promises'
import { type ListedProcess, listProcesses, processOf } from './list-processes.ts'
import {
  type Members,
  membersOf,
  signalAll,
  signalGroup,
  signalProcess,
  type Tree,
} from './process-tree.ts'

/** Asks every process of a tree to end, and after the grace (in milliseconds) ends it. */
export async function stopTree(tree: Tree, grace: number): Promise<void> {
  const began = performance.now()
  stopping.add(tree)
  try {
    await delay(TOGETHER)
    for (const one of membersSince(began, tree)) if (!isSandbox(one)) signalProcess(one, 'SIGTERM')
    const until = began + grace
    for (let pause = 10; performance.now() < until; pause = Math.min(pause * 2, 200)) {
      await delay(Math.max(1, Math.min(pause, until - performance.now())))
      if (membersSince(began, tree).length === 0) return
    }
  } finally {
    stopping.delete(tree)
  }
  await endTree(tree, 'all')
}

/** Those that are asked to end. */
const stopping = new Set<Tree>()

/** In milliseconds: those who are stopped at the same time share a look at all processes. */
const TOGETHER = 5

/** It would take all that is inside with it, before that could end by itself. */
function isSandbox({ name }: ListedProcess): boolean {
  return name === 'bwrap'
}

/** Ends what still runs of a tree; how many that were. */
export async function endTree(tree: Tree, reach: keyof Members): Promise<number> {
  return await end((members) => members(tree)[reach], tree)
}

/** Ends what is found, until nothing is. */
export async function endFound(
  find: (listed: readonly ListedProcess[]) => readonly ListedProcess[],
): Promise<void> {
  await end((_, listed) => find(listed))
}

interface Ending {
  readonly tree: Tree | undefined
  readonly find: (
    members: (tree: Tree) => Members,
    listed: readonly ListedProcess[],
  ) => readonly ListedProcess[]
  readonly frozen: Set<string>
  readonly ended: Set<string>
  readonly until: number
  readonly done: (count: number) => void
}

const endings = new Set<Ending>()
/** In milliseconds: what cannot be ended until then never will. */
const LONGEST = 10_000

async function end(find: Ending['find'], tree?: Tree): Promise<number> {
  return await new Promise((done) => {
    const until = performance.now() + LONGEST
    // All of the first one's group at once: it makes no more of them while the others are looked for.
    if (tree && processOf(tree.pid)?.started === tree.started) signalGroup(tree.pid, 'SIGSTOP')
    endings.add({ tree, find, frozen: new Set(), ended: new Set(), until, done })
    if (endings.size === 1) void endThem()
  })
}

/**
 * Ends many trees at once, so that processes are listed once for all. All of a tree are frozen first: one that still
 * runs may make others, whom nobody knows once it has ended.
 */
async function endThem(): Promise<void> {
  while (endings.size > 0) {
    const trees = [...endings].flatMap(({ tree }) => tree ?? [])
    const listed = listProcesses()
    const members = membersOf(trees, listed)
    for (const ending of endings) {
      const found = ending.find((tree) => members.get(tree)!, listed)
      const isOver = performance.now() > ending.until
      if (isOver) signalAll(found, listed, 'SIGKILL')
      if (found.length === 0 || isOver) {
        endings.delete(ending)
        ending.done(ending.ended.size)
      } else endSome(found, listed, ending)
    }
    if (endings.size > 0) await delay(2)
  }
}

function endSome(
  found: readonly ListedProcess[],
  listed: readonly ListedProcess[],
  { frozen, ended }: Ending,
): void {
  const fresh = found.some((one) => !frozen.has(keyOf(one)))
  signalAll(found, listed, fresh ? 'SIGSTOP' : 'SIGKILL')
  for (const one of found) (fresh ? frozen : ended).add(keyOf(one))
}

function keyOf({ pid, started }: ListedProcess): string {
  return `${pid} ${started}`
}

let look:
  | { readonly began: number; readonly until: number; readonly members: Map<Tree, Members> }
  | undefined

/** All of a tree, as it was at some moment since then. The longer a look takes, the less often one is taken. */
function membersSince(time: number, tree: Tree): readonly ListedProcess[] {
  const began = performance.now()
  const known = look && look.began >= time && began < look.until && look.members.get(tree)
  if (known) return known.all
  const members = membersOf([...stopping])
  const took = performance.now() - began
  look = { began, until: began + Math.max(20, 10 * took), members }
  return members.get(tree)!.all
}
