import type { Workspace } from '@toolglot/workspace'
import { type SharedJournal, startClaiming } from './runs/claiming.ts'
import { createFolders } from './runs/folders.ts'
import { createRuns } from './runs/runs.ts'

/** Options for a worker. */
export interface WorkerOptions {
  /** The folder that is open at the start. Each run has its own. */
  readonly workspace: Workspace
  readonly sharedJournal: SharedJournal
  /** Called when a run starts or ends here. */
  readonly onRun?:
    | ((run: string, what: 'began' | 'waits' | 'ended' | 'released') => void)
    | undefined
  readonly onError: (error: unknown) => void
}

/** A running worker. */
export interface Worker {
  /** The number of runs being executed. */
  count(): number
  /**
   * Claims no more runs, finishes current work for a few seconds or until the signal aborts, and
   * releases the runs, so that other processes can continue them.
   */
  close(signal?: AbortSignal): Promise<void>
}

/**
 * Starts a worker: it executes runs of a shared journal that no process is executing, and has no
 * HTTP server.
 */
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
    // A run that is waiting for a person doesn't count against the limits. The answer makes the run
    // due.
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
