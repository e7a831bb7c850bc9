import type { PendingRequest } from '@toolglot/agent/journal'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { pendingRequest } from '../../schemas/pending-request.ts'

/** Lists what waits for a person. */
export const listApprovals: Endpoint<'GET /api/approvals', object, readonly PendingRequest[]> = {
  name: 'GET /api/approvals',
  about: 'List what waits for a person in all runs, the longest wait first.',
  answers: { 200: { about: 'What waits.', schema: z.array(pendingRequest) } },
  handle: (_, { services: { approvals } }) => approvals.list(),
}
