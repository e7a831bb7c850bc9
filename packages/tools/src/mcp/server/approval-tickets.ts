import { randomUUID } from 'node:crypto'
import type { ApprovalQuestion } from '@toolglot/agent'

/** How many questions may be open; whoever asks more loses the oldest. */
const MAX_OPEN = 100

/** The questions that were put to a person and are not answered yet. An answer counts once, for what was shown. */
export interface ApprovalTickets {
  /** Remembers what is asked; the ticket comes back with the answer. */
  ask(question: ApprovalQuestion): string
  /** The id of the call that a ticket was given for: the request that brings it is that call again. */
  callOf(ticket: unknown): string | undefined
  /** Whether a ticket was given for exactly this. It is used up. */
  take(ticket: unknown, question: ApprovalQuestion): boolean
}

export function createApprovalTickets(): ApprovalTickets {
  const open = new Map<unknown, { readonly call: string; readonly hash: string }>()
  return {
    ask({ call, hash }) {
      const [oldest] = open.keys()
      if (open.size >= MAX_OPEN) open.delete(oldest)
      const ticket = randomUUID()
      open.set(ticket, { call: call.id, hash })
      return ticket
    },
    callOf: (ticket) => open.get(ticket)?.call,
    take(ticket, { hash }) {
      const shown = open.get(ticket)
      open.delete(ticket)
      return shown?.hash === hash
    },
  }
}
