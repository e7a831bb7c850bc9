import { setTimeout as delay } from 'node:timers/promises'
import type { ListedProcess } from './list.ts'
import { membersOf, signalProcess, type Tree } from './tree.ts'

/** Asks every process of a tree to end, and after the grace (in milliseconds) ends it. */
export async function stopTree(tree: Tree, grace: number): Promise<void> {
  for (const one of membersOf(tree).all) if (!isSandbox(one)) signalProcess(one, 'SIGTERM')
  const until = performance.now() + grace
  for (let pause = 10; performance.now() < until; pause = Math.min(pause * 2, 100)) {
    await delay(Math.max(1, Math.min(pause, until - performance.now())))
    if (membersOf(tree).all.length === 0) return
  }
  await endAll(() => membersOf(tree).all)
}

/** Ends what still runs of a tree whose first process has ended: of its session only. How many that were. */
export async function endLeftOver(tree: Tree): Promise<number> {
  return await endAll(() => membersOf(tree).near)
}

/**
 * Ends what is found until nothing is. All are frozen first, since a process that still runs may make others, whom
 * nobody knows once it has ended.
 */
export async function endAll(find: () => readonly ListedProcess[]): Promise<number> {
  const ended = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const frozen = new Set<string>()
    let found = find()
    while (found.some((one) => !frozen.has(keyOf(one)))) {
      for (const one of found) {
        if (!frozen.has(keyOf(one))) signalProcess(one, 'SIGSTOP')
        frozen.add(keyOf(one))
      }
      found = find()
    }
    if (found.length === 0) break
    for (const one of found) {
      signalProcess(one, 'SIGKILL')
      ended.add(keyOf(one))
    }
    await delay(Math.min(5 * 2 ** round, 100))
  }
  return ended.size
}

const ROUNDS = 20

function keyOf({ pid, started }: ListedProcess): string {
  return `${pid} ${started}`
}

/** It would take all that is inside with it, before that could end by itself. */
function isSandbox({ name }: ListedProcess): boolean {
  return name === 'bwrap'
}
