import type { Workspace } from '@toolglot/workspace'
import { type SharedJournal, startClaiming } from './runs/claiming.ts'
import { createFolders } from './runs/folders.ts'
import { createRuns } from './runs/runs.ts'

/** How a worker is started. */
export interface WorkerOptions {
  /** The folder that is open at the start. Each run has its own. */
  readonly workspace: Workspace
  readonly sharedJournal: SharedJournal
  /** Called when a run begins or ends here. */
  readonly onRun?:
    | ((run: string, what: 'began' | 'waits' | 'ended' | 'released') => void)
    | undefined
  readonly onError: (error: unknown) => void
}

/** A worker that runs. */
export interface Worker {
  /** How many runs it executes at the moment. */
  count(): number
  /**
   * Claims no more runs, finishes what is in progress for a few seconds, or until the signal aborts, and releases the runs:
   * other processes continue them.
   */
  close(signal?: AbortSignal): Promise<void>
}

/** Starts a worker: it executes the runs of a shared journal that nobody executes, and serves nothing. */
export function startWorker({
  workspace,
  sharedJournal,
  onRun = () => {},
  onError,
}: WorkerOptions): Worker {
  const { journal, machine, version, whenChanged } = sharedJournal
  const folders = createFolders(workspace, onError)
  const runs = createRuns({
    journal,
    folders,
    machine,
    version,
    whenChanged,
    // A run that is waiting for a person doesn't count against the limits. The answer makes it due.
    onWait: 'suspend',
    onEvent({ run, ...event }) {
      if (event.type === 'run-start') onRun(run, 'began')
      if (event.type === 'run-end')
        onRun(run, event.pending ? 'waits' : event.reason === 'interrupted' ? 'released' : 'ended')
    },
    onError,
  })
  const claiming = startClaiming(runs, sharedJournal, onError)
  return {
    count: () => runs.count(),
    async close(signal) {
      await claiming.stop()
      await runs.release(signal)
      // Runs in progress are left as if the process had been killed, so they can be resumed.
      await journal.close()
      await runs.close()
      await folders.close()
    },
  }
}
