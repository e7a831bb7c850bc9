import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningPostgres } from '../postgres/start-postgres.mjs'
import type { Member } from './member.ts'
import type { Size } from './size.ts'

/** The faults for a cluster. */
export interface ChaosOptions {
  readonly members: readonly Member[]
  readonly postgres: RunningPostgres
  readonly random: () => number
  readonly size: Size
}

/** The number of faults of each kind. */
export type ChaosCounts = Record<
  'kills' | 'pauses' | 'rollingRestarts' | 'databaseRestarts',
  number
>

/** In milliseconds: longer than the lease of a process. */
const PAUSE = 16_500

/**
 * Kills, pauses and restarts the processes of a cluster in a random order, until all faults have
 * occurred.
 */
export async function chaos({
  members,
  postgres,
  random,
  size,
}: ChaosOptions): Promise<ChaosCounts> {
  const counts: ChaosCounts = { kills: 0, pauses: 0, rollingRestarts: 0, databaseRestarts: 0 }
  const pausing = new Set<Promise<void>>()
  let failure: unknown

  /** A member without a current fault. At least half of the members are always working. */
  async function free(): Promise<Member> {
    for (;;) {
      const all = members.filter((member) => !member.isBusy())
      if (all.length > members.length / 2) return all[Math.floor(random() * all.length)]!
      await sleep(50)
    }
  }

  async function kill(): Promise<void> {
    await (await free()).restart('SIGKILL')
  }

  async function pause(): Promise<void> {
    const member = await free()
    const pausingOne = member
      .pause(PAUSE + random() * 4000)
      .catch((error: unknown) => (failure = error))
      .finally(() => pausing.delete(pausingOne)) as Promise<void>
    pausing.add(pausingOne)
  }

  async function rollingRestart(): Promise<void> {
    await Promise.all(pausing)
    for (const member of members) {
      const code = await member.restart('SIGTERM')
      if (code !== 0) throw new Error(`expected ${member.name} to exit with 0, got ${String(code)}`)
    }
  }

  /** Restarts the database, alternating between a fast shutdown and a crash. */
  async function restartDatabase(): Promise<void> {
    await postgres.stop(counts.databaseRestarts % 2 === 0 ? 'SIGINT' : 'SIGQUIT')
    await sleep(random() * 2000)
    await postgres.start()
  }

  const actions: Record<keyof ChaosCounts, () => Promise<void>> = {
    kills: kill,
    pauses: pause,
    rollingRestarts: rollingRestart,
    databaseRestarts: restartDatabase,
  }
  const plan = (Object.keys(actions) as (keyof ChaosCounts)[]).flatMap((name) =>
    Array.from({ length: size[name] }, () => ({ name, place: random() })),
  )
  plan.sort((one, other) => one.place - other.place)
  for (const { name } of plan) {
    await sleep(300 + random() * 1200)
    await actions[name]()
    counts[name]++
    if (failure !== undefined) throw failure
  }
  await Promise.all(pausing)
  return counts
}
