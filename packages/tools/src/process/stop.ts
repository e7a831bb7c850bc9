import { setTimeout as delay } from 'node:timers/promises'
import { type ListedProcess, listProcesses } from './list.ts'
import { type Members, membersOf, signalProcess, type Tree } from './tree.ts'

/** Asks every process of a tree to end, and after the grace (in milliseconds) ends it. */
export async function stopTree(tree: Tree, grace: number): Promise<void> {
  const began = performance.now()
  await delay(TOGETHER)
  for (const one of membersOf([tree], processesSince(began)).get(tree)!.all)
    if (!isSandbox(one)) signalProcess(one, 'SIGTERM')
  const until = began + grace
  for (let pause = 10; performance.now() < until; pause = Math.min(pause * 2, 200)) {
    await delay(Math.max(1, Math.min(pause, until - performance.now())))
    if (membersOf([tree], processesSince(began)).get(tree)!.all.length === 0) return
  }
  await endTree(tree, 'all')
}

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
export async function endFound(find: () => readonly ListedProcess[]): Promise<void> {
  await end(find)
}

interface Ending {
  readonly tree: Tree | undefined
  readonly find: (members: (tree: Tree) => Members) => readonly ListedProcess[]
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
    const members = membersOf(trees)
    for (const ending of endings) {
      const found = ending.find((tree) => members.get(tree)!)
      const isOver = performance.now() > ending.until
      if (isOver) for (const one of found) signalProcess(one, 'SIGKILL')
      if (found.length === 0 || isOver) {
        endings.delete(ending)
        ending.done(ending.ended.size)
      } else endSome(found, ending)
    }
    if (endings.size > 0) await delay(2)
  }
}

function endSome(found: readonly ListedProcess[], { frozen, ended }: Ending): void {
  const fresh = found.filter((one) => !frozen.has(keyOf(one)))
  for (const one of fresh) {
    signalProcess(one, 'SIGSTOP')
    frozen.add(keyOf(one))
  }
  if (fresh.length > 0) return
  for (const one of found) {
    signalProcess(one, 'SIGKILL')
    ended.add(keyOf(one))
  }
}

function keyOf({ pid, started }: ListedProcess): string {
  return `${pid} ${started}`
}

let look:
  | { readonly began: number; readonly until: number; readonly found: ListedProcess[] }
  | undefined

/** Processes as they were at some moment since then. The longer a look takes, the less often one is taken. */
function processesSince(time: number): ListedProcess[] {
  const began = performance.now()
  if (look && look.began >= time && began < look.until) return look.found
  const found = listProcesses()
  const took = performance.now() - began
  look = { began, until: began + Math.max(20, 10 * took), found }
  return found
}
