import { neutralize } from '@toolglot/core'
import type { RunLog } from '../../journal/journal.ts'
import type { Content } from '../../model/chat-message.ts'
import { cutResult } from '../../result/cut-result.ts'
import { Repeats } from '../calls/repeats.ts'
import {
  type Arrival,
  isInput,
  type LateOutcome,
  type RunEnd,
  type RunInput,
  saidBefore,
  type UnreadMessage,
} from '../resume/history.ts'
import { recordInput } from '../resume/start-or-resume.ts'
import type { LoopState } from '../state.ts'

/** Messages and orders that arrive while a run is running. */
export interface Inbox {
  /** Aborted when the run is ordered to stop. */
  readonly stopped: AbortSignal
  /** The number of messages seen so far. */
  readonly seen: number
  /** True if there are messages to take. */
  readonly hasMessages: boolean
  /** Removes and returns the new messages from people. */
  take(): readonly { readonly number: number; readonly content: Content }[]
  /** Waits for a message that is known to exist. */
  next(): Promise<void>
}

/** Receives messages until the signal is aborted. `unread` contains the messages sent before. */
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
    // The wait is aborted when the run ends. If the journal has failed, the next record fails too.
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

/**
 * Records the messages sent to the run, which the model reads before this turn. `last` is the end
 * of the run that they replace.
 */
export async function takeMessages(
  state: LoopState,
  turn: number,
  last: RunEnd | undefined,
): Promise<void> {
  for (const { number, content } of state.inbox.take()) {
    const message = { role: 'user' as const, content }
    await recordInput(state, { message, turn, number, ...saidBefore(last) })
    last = undefined
  }
}

/** Records late outcomes, which the model reads before this turn. */
export async function takeLate(state: LoopState, turn: number): Promise<void> {
  const { steps, arrivals } = state
  const came = state.late
  state.late = []
  for (const each of came) {
    const number = arrivals.filter((arrival) => !isInput(arrival)).length
    const outcome: LateOutcome = { ...each, turn }
    await steps.step({ type: 'late', number }, async () => outcome)
    arrivals.push(outcome)
  }
}

/**
 * Adds the messages and late outcomes before a turn, in the order of their records, so that those
 * after a compaction always follow it. Returns true if there was a message.
 */
export function addArrivals(state: LoopState, turn: number, added: Set<Arrival>): boolean {
  const now = state.arrivals.filter((each) => each.turn === turn && !added.has(each))
  for (const arrival of now) {
    added.add(arrival)
    if (isInput(arrival)) addInput(state, arrival)
    else addLate(state, arrival)
  }
  return now.some(isInput)
}

/** A message from a person resets the limits. */
function addInput(state: LoopState, { message, said }: RunInput): void {
  if (said !== undefined) addMessages(state, { role: 'assistant', content: said })
  addMessages(state, message)
  state.finalMessages = []
  state.toolCalls = 0
  state.repeats = new Repeats(state.options.duplicates)
}

function addLate(state: LoopState, { call, name, outcome }: LateOutcome): void {
  const { format, limits, tools } = state
  state.outcomes.set(call, outcome)
  const { maxResult } = limits
  const canReadMore = outcome.text.length > maxResult && tools.offerReadMore()
  const output = cutResult(outcome.text, maxResult, canReadMore ? call : undefined)
  state.untrustedTexts.push(output)
  const about = outcome.status === 'success' ? 'has now ended. It returned' : 'has now failed'
  const text = neutralize(output, { tools: tools.definitions(), protocols: format.protocol })
  addMessages(state, {
    role: 'results',
    results: [],
    notes: [`${name} (${call}) ${about}:\n${text}`],
  })
}

/** Adds messages to the conversation. */
export function addMessages(state: LoopState, ...more: LoopState['messages']): void {
  state.messages = [...state.messages, ...more]
}
