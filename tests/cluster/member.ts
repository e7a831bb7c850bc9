import type { Spawned } from '../../packages/cli/test/spawned.ts'

/** A process of the cluster, which tests kill, pause and restart. */
export interface Member {
  readonly name: string
  /** True while a fault affects it. */
  isBusy(): boolean
  /** Ends it with a signal, and restarts it. Returns its exit code. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Pauses it, in milliseconds. */
  pause(time: number): Promise<void>
}

/** Starts a member. `start` resolves once the process is ready. */
export async function startMember(name: string, start: () => Promise<Spawned>): Promise<Member> {
  let current = await start()
  let isBusy = false

  async function busy<Value>(work: () => Promise<Value>): Promise<Value> {
    isBusy = true
    try {
      return await work()
    } finally {
      isBusy = false
    }
  }

  return {
    name,
    isBusy: () => isBusy,
    restart: (signal) =>
      busy(async () => {
        const { child, ended } = current
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${name} ended by itself: ${current.output()}${current.errors()}`)
        child.kill(signal)
        const code = await ended()
        current = await start()
        return code
      }),
    pause: (time) =>
      busy(async () => {
        const { child } = current
        child.kill('SIGSTOP')
        await new Promise((resolve) => setTimeout(resolve, time))
        child.kill('SIGCONT')
      }),
  }
}
