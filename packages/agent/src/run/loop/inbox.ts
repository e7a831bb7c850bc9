import type { RunLog } from '../../journal/journal.ts'
import type { Content } from '../../model/content.ts'
import type { UnreadMessage } from '../resume/history.ts'

/** Messages and orders that reach a run while it runs. */
export interface Inbox {
  /** Aborts when the run is ordered to stop. */
  readonly stopped: AbortSignal
  /** How many messages have been seen. */
  readonly seen: number
  /** Whether there are messages to take. */
  readonly hasMessages: boolean
  /** Removes and returns the messages from people that were not taken yet. */
  take(): readonly { readonly number: number; readonly content: Content }[]
  /** Waits for a message that is known to exist. */
  next(): Promise<void>
}

/** Receives messages from now on, until the signal aborts. `unread` are those that were sent before. */
export function openInbox(
  log: RunLog,
  { messages, unread }: { readonly messages: number; readonly unread: readonly UnreadMessage[] },
  signal: AbortSignal,
): Inbox {
  const stop = new AbortController()
  let received: { number: number; content: Content }[] = []
  let seen = messages
  let receiving: Promise<void>

  function handle({ number, message }: UnreadMessage): void {
    if (message.type === 'stop') stop.abort(new Error('The run was stopped.'))
    else received.push({ number, content: message.content })
  }

  function receive(): void {
    receiving = log.waitForMessage(seen, signal).then((message) => {
      handle({ number: seen++, message })
      receive()
    })
    // It is aborted when the run ends. If the journal fails, the next record fails too.
    receiving.catch(() => {})
  }
  for (const each of unread) handle(each)
  receive()

  return {
    stopped: stop.signal,
    get seen() {
      return seen
    },
    get hasMessages() {
      return received.length > 0
    },
    take() {
      const all = received
      received = []
      return all
    },
    next: async () => (received.length > 0 ? undefined : receiving),
  }
}
