import type { RunEvent } from '@toolglot/agent'
import type { Journal } from '@toolglot/agent/journal'
import { requestsOf } from '../input/find-request.ts'
import type { RunView } from '../show/run/run-view.ts'
import { answerCommand } from '../show/waiting.ts'

/** If an event asks a person something and nobody has answered yet, shows the command that answers it. */
export async function noteRequest(
  event: RunEvent,
  view: Pick<RunView, 'note'>,
  journal: Pick<Journal, 'waiting' | 'read'>,
): Promise<void> {
  if (event.type !== 'approval-request' && event.type !== 'question') return
  const requests = await requestsOf(journal, event.run)
  const request = requests.find(({ key }) => key === event.key)
  if (request) view.note([`To answer: ${answerCommand(request)}`])
}
