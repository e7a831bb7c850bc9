import { type ApiAnswer, ApiError, type ApiInput, type Client } from '@toolglot/server/client'
import type { PromptItem, RunView } from './run-view.ts'

/** The options of a new run other than its prompt: a model, attachments, limits and more. */
export type RunRequest = Omit<ApiInput<'POST /api/runs'>['body'], 'prompt'>

/** A message to an existing run or to a new one. */
export interface PromptToSend extends RunRequest {
  readonly prompt: string
  /** Continue even if the model, the protocol or the tools have changed. */
  readonly acceptChanges?: boolean | undefined
}

/** The result of sending a message. */
export interface SentPrompt {
  readonly run: string
  /** Warnings: files that could not be attached, problems with settings. */
  readonly warnings: readonly string[]
}

/** Sends a message: it starts a run, goes to a running one, or continues one that has ended. */
export async function sendPrompt(
  client: Client,
  view: RunView | undefined,
  { acceptChanges, folder, ...request }: PromptToSend,
): Promise<SentPrompt> {
  if (!view) {
    const body = { ...request, ...(folder !== undefined && { folder }) }
    return await client.request('POST /api/runs', { body })
  }
  const parameters = { run: view.run }
  if (view.state === 'working' || view.state === 'waiting') {
    const { prompt: message, attachments = [] } = request
    const images = attachments.filter((each) => each.type === 'image')
    const texts = attachments.flatMap((each) =>
      each.type === 'text' ? [`${each.name}:\n\n${each.text}`] : [],
    )
    try {
      await client.request('POST /api/runs/:run/messages', {
        parameters,
        body: {
          message: [message, ...texts].join('\n\n'),
          attachments: images.length > 0 ? images : undefined,
        },
      })
      return { run: view.run, warnings: [] }
    } catch (error) {
      // The run has just ended, so the message continues it.
      if (!(error instanceof ApiError) || error.code !== 'run_ended') throw error
    }
  }
  const body = { ...request, ...(acceptChanges && { acceptChanges }) }
  return await client.request('POST /api/runs/:run/resume', { parameters, body })
}

/** Sends a changed message in a copy of the run, which continues with it. Returns the copy. */
export async function resendPrompt(
  client: Client,
  run: string,
  { turn }: Pick<PromptItem, 'turn'>,
  request: Omit<ApiInput<'POST /api/runs/:run/fork'>['body'], 'turn'>,
): Promise<ApiAnswer<'POST /api/runs/:run/fork'>> {
  return await client.request('POST /api/runs/:run/fork', {
    parameters: { run },
    body: { ...request, turn },
  })
}
