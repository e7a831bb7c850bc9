import { z } from 'zod'
import type { Attachment } from '../../../runs/compose-prompt.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { imageAttachment } from '../../schemas/run-request.ts'
import { ATTACHMENTS_SIZE } from '../../schemas/started-run.ts'

/** A message to a run that works. */
export interface SendMessage {
  readonly message: string
  readonly attachments?: readonly Extract<Attachment, { type: 'image' }>[] | undefined
}

/** Sends a message to a run. */
export const sendMessage: Endpoint<
  'POST /api/runs/:run/messages',
  { readonly body: SendMessage },
  undefined
> = {
  name: 'POST /api/runs/:run/messages',
  about: 'Send a message to a run while it works. It reads it before its next turn.',
  body: typed(
    z.strictObject({
      message: z.string().min(1).max(1_000_000).describe('What to tell it.'),
      attachments: z.array(imageAttachment).max(20).optional().describe('Images.'),
    }),
  ),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 204: { about: 'It is recorded.' } },
  details: 'Images are refused if the model of the run takes none.',
  async handle(
    { parameters: { run }, body: { message, attachments = [] } },
    { services: { journal, runs } },
  ) {
    const images = attachments.length > 0
    if (images) runs.refuseImages(run)
    await journal.send(run, images ? [{ type: 'text', text: message }, ...attachments] : message)
    return undefined
  },
}
