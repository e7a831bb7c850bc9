// Restate drives runs: it calls `drive` for each, and again elsewhere when a process is gone. What a run has done is in its
// journal, so nothing is done twice, whatever Restate believes.
import { drive, type DriveOptions } from '@toolglot/agent'
import { createEndpointHandler, object, type ObjectContext } from '@restatedev/restate-sdk'

/** What all runs have in common. */
export type Agent = Omit<DriveOptions, 'id' | 'prompt' | 'release' | 'takeover'>

/** Creates a service with one object per run. Its key is the id of the run. */
export function restateDriver(agent: Agent) {
  const stopping = new AbortController()
  const driving = new Set<Promise<unknown>>()
  const run = object({
    name: 'run',
    handlers: {
      /** Starts or continues the run. If it waits for somebody, call this again after the answer. */
      async drive(context: ObjectContext, { prompt }: { prompt: string }) {
        const lost = context.request().attemptCompletedSignal
        const release = AbortSignal.any([stopping.signal, lost])
        const driven = drive({ ...agent, id: context.key, prompt, takeover: true, release })
        driving.add(driven)
        const outcome = await driven.finally(() => driving.delete(driven))
        // Restate calls again what throws. A journal that cannot be used throws, too.
        if (outcome.status === 'released') throw new Error('This process is being stopped.')
        return outcome
      },
    },
    options: {
      // A run may be silent for as long as its model and tools take.
      inactivityTimeout: { hours: 24 },
      abortTimeout: { hours: 24 },
      // By default, Restate pauses what has failed 70 times, and a database may be gone for longer.
      retryPolicy: { initialInterval: 100, maxInterval: { seconds: 10 }, maxAttempts: 1_000_000 },
    },
  })
  return {
    handler: createEndpointHandler({ services: [run] }),
    /** Releases the runs, which continue elsewhere. */
    async close() {
      stopping.abort()
      await Promise.allSettled(driving)
    },
  }
}
