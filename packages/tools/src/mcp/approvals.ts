import { randomUUID } from 'node:crypto'
import type { Decision, ToolCall } from '@toolglot/agent'

/** How many questions may be open; whoever asks more loses the oldest. */
const MANY = 100

/** The questions that were put to a person and are not answered yet. An answer counts once, for the call that was shown. */
export interface Approvals {
  /** Remembers what is asked; the ticket comes back with the answer. */
  ask(call: ToolCall, decision: Decision): string
  /** Whether a ticket was given for this call, decided on as it is now. */
  take(ticket: unknown, call: ToolCall, decision: Decision): boolean
}

/** `folder` is the one that calls start in: a yes for one is none for another. */
export function createApprovals(folder: () => string): Approvals {
  const open = new Map<string, string>()
  return {
    ask(call, decision) {
      const [oldest] = open.keys()
      if (oldest !== undefined && open.size >= MANY) open.delete(oldest)
      const ticket = randomUUID()
      open.set(ticket, shownOf(call, decision, folder()))
      return ticket
    },
    take(ticket, call, decision) {
      if (typeof ticket !== 'string') return false
      const shown = open.get(ticket)
      open.delete(ticket)
      return shown === shownOf(call, decision, folder())
    },
  }
}

function shownOf({ name, args }: ToolCall, { parts }: Decision, folder: string): string {
  const decided = parts.map(({ what, verdict, why, real }) => [what, verdict, why, real])
  return JSON.stringify([name, args, folder, decided])
}
