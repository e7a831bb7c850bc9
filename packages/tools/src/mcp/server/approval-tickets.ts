import { randomUUID } from 'node:crypto'
import type { ApprovalQuestion } from '@toolglot/agent'

/** How many questions may be pending. After that, the oldest is dropped. */
const MAX_OPEN = 100

/** Tickets for pending approval questions. Each is valid once, for exactly what was shown. */
export interface ApprovalTickets {
  /** Issues a ticket for a question, which comes back with the answer. */
  issue(question: ApprovalQuestion): string
  /** The id of the call that a ticket was issued for: the request that carries it repeats that call. */
  callOf(ticket: unknown): string | undefined
  /** Whether a ticket was issued for exactly this question. Uses up the ticket. */
  redeem(ticket: unknown, question: ApprovalQuestion): boolean
}

/** Creates an empty set of tickets. */
export function createApprovalTickets(): ApprovalTickets {
  const open = new Map<unknown, { readonly call: string; readonly hash: string }>()
  return {
    issue({ call, hash }) {
      const [oldest] = open.keys()
      if (open.size >= MAX_OPEN) open.delete(oldest)
      const ticket = randomUUID()
      open.set(ticket, { call: call.id, hash })
      return ticket
    },
    callOf: (ticket) => open.get(ticket)?.call,
    redeem(ticket, { hash }) {
      const shown = open.get(ticket)
      open.delete(ticket)
      return shown?.hash === hash
    },
  }
}
