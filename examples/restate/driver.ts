// Restate drives runs: it calls `drive` for each, and again on another machine when a process ends.
// The journal records every step of a run, so no step is done twice, even if Restate repeats it.
import { drive, type DriveOptions } from '@toolglot/agent'
import { createEndpointHandler, object, type ObjectContext } from '@restatedev/restate-sdk'

/** The options that all runs share. */
export type Agent = Omit<DriveOptions, 'id' | 'prompt' | 'release' | 'takeover'>

/** Creates a service with one object per run. Its key is the id of the run. */
export function restateDriver(agent: Agent) {
  const stopping = new AbortController()
  const driving = new Set<Promise<unknown>>()
  const run = object({
    name: 'run',
    handlers: {
      /**
       * Starts or continues the run. If it waits for a person, call this again after the answer.
       */
      async drive(context: ObjectContext, { prompt }: { prompt: string }) {
        const lost = context.request().attemptCompletedSignal
        const release = AbortSignal.any([stopping.signal, lost])
        const driven = drive({ ...agent, id: context.key, prompt, takeover: true, release })
        driving.add(driven)
        const outcome = await driven.finally(() => driving.delete(driven))
        // Restate retries after an error, including an unusable journal.
        if (outcome.status === 'released') throw new Error('This process is being stopped.')
        return outcome
      },
    },
    options: {
      // A run may be silent for as long as its model and tools take.
      inactivityTimeout: { hours: 24 },
      abortTimeout: { hours: 24 },
      // By default, Restate pauses after 70 failures, and a database may be unavailable for longer.
      retryPolicy: { initialInterval: 100, maxInterval: { seconds: 10 }, maxAttempts: 1_000_000 },
    },
  })
  return {
    handler: createEndpointHandler({ services: [run] }),
    /** Releases the runs, which continue on other machines. */
    async close() {
      stopping.abort()
      await Promise.allSettled(driving)
    },
  }
}
