import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'

/** A message to a run that works. */
export interface SendMessage {
  readonly message: string
}

/** Sends a message to a run. */
export const sendMessage: Endpoint<
  'POST /api/runs/:run/messages',
  { readonly body: SendMessage },
  undefined
> = {
  name: 'POST /api/runs/:run/messages',
  about: 'Send a message to a run while it works. It reads it before its next turn.',
  body: z.strictObject({
    message: z
      .string()
      .min(1)
      .max(1 << 20),
  }),
  answers: { 204: { about: 'It is recorded.' } },
  async handle({ parameters: { run }, body: { message } }, { services: { journal } }) {
    await journal.send(run, message)
    return undefined
  },
}
