import type { RunEvent } from '@toolglot/agent'
import type { PendingRequest } from '@toolglot/agent/journal'
import { listApprovals, approveCall } from '../src/api/routes/approvals.ts'
import { replayRun } from '../src/api/routes/runs/history.ts'
import { showRun } from '../src/api/routes/runs/runs.ts'
import { startRun } from '../src/api/routes/runs/control.ts'
import type { StartedRun } from '../src/runs/run-request.ts'
import { type ApiClient, apiClient, type ApiClientOptions } from './api-client.ts'
import { type Script, scriptedUpstream, type ScriptedUpstream } from './scripted-upstream.ts'
import { until } from '../../../tests/helpers/until.ts'

/** A client whose runs use a scripted model. */
export interface RunClient extends ApiClient {
  readonly model: ScriptedUpstream
  /** Starts a run, with additional fields of the request. */
  start(prompt: string, more?: object): Promise<StartedRun>
  /** The recorded events of a run, once it has ended or was released. */
  ended(run: string): Promise<readonly RunEvent[]>
  /** The pending requests of a run, once there are this many. */
  waiting(run: string, count?: number): Promise<readonly PendingRequest[]>
  /** Approves all pending requests of a run. */
  approveAll(run: string): Promise<void>
  /** Starts again with the same folders and the same model, after the server was closed. */
  again(): Promise<RunClient>
}

/** Starts an API whose runs use a scripted model, until the test ends. */
export async function runClient(
  script: Script,
  options: ApiClientOptions = {},
): Promise<RunClient> {
  const model = await scriptedUpstream(script)
  return clientOf(model, options)
}

async function clientOf(model: ScriptedUpstream, options: ApiClientOptions): Promise<RunClient> {
  const client = await apiClient(options)
  const waiting: RunClient['waiting'] = async (run, count = 1) =>
    until(
      async () => (await client.call(listApprovals)).filter((each) => each.run === run),
      (found) => found.length >= count,
    )
  return {
    ...client,
    model,
    waiting,
    start: (prompt, more) =>
      client.call(startRun, {
        body: { prompt, model: model.reference(), protocol: 'hermes', ...more },
      }),
    async ended(run) {
      await until(
        () => client.call(showRun, { parameters: { run } }),
        ({ active, summary }) => !active && summary.state !== 'running',
      )
      return client.call(replayRun, { parameters: { run } })
    },
    async approveAll(run) {
      for (const { key } of await waiting(run))
        await client.call(approveCall, { parameters: { run }, body: { key } })
    },
    async again() {
      await client.close()
      return clientOf(model, { ...options, again: client })
    },
  }
}
