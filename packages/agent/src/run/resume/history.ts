import type { Message, UserMessage } from '../../context/message.ts'
import type { JournalRecord, RunMessage } from '../../journal/journal.ts'
import type { RecordedApproval } from '../approval/ask-person.ts'
import type { RunEventBody, RunFacts } from '../event.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { Turn } from '../turn/recorded-turn.ts'

/** How a run was set up, as recorded in the journal. */
export interface RunSetup extends Omit<RunFacts, 'folder'> {
  readonly protocol: string
  /** The working directory. */
  readonly cwd?: string
  readonly tools: readonly unknown[]
  readonly messages: readonly Message[]
  /** Texts in the messages that come from untrusted sources. */
  readonly untrusted?: readonly string[]
  /** What is odd about the configuration of the tools. */
  readonly warnings?: readonly string[]
  /** The span of the process that began it, as `traceparent`. */
  readonly trace?: string
}

/** A message that a person added to a run later, and the turn that it precedes. */
export interface RunInput {
  readonly message: UserMessage
  readonly turn: number
  /** The model's last text, if that was not an answer. */
  readonly said?: string
  /** Texts in the message that come from untrusted sources. */
  readonly untrusted?: readonly string[]
  /** The number of the message, if it was sent to the run while it was running. */
  readonly number?: number
}

/** The outcome of a call that ended after it was given up, and the turn before which the model reads it. */
export interface LateOutcome {
  readonly call: string
  readonly name: string
  readonly turn: number
  readonly outcome: ToolOutcome
}

/** How a run ended. */
export type RunEnd = Omit<Extract<RunEventBody, { type: 'run-end' }>, 'type'>

/** The end of a run as recorded in the journal. */
export interface RecordedEnd extends RunEnd {
  /** The keys of the calls that have no outcome: those that had not begun are cancelled. */
  readonly cancelled?: readonly string[]
}

/** A message that was sent to a run and that it has not read yet. */
export interface UnreadMessage {
  readonly number: number
  readonly message: RunMessage
}

/** What the journal has about a run before it is resumed. */
export interface History {
  readonly setup: RunSetup | undefined
  /** How many setups were recorded: another one each time a changed setup was confirmed. */
  readonly setups: number
  readonly inputs: readonly RunInput[]
  readonly late: readonly LateOutcome[]
  /** The untrusted texts of all setups and inputs. */
  readonly untrusted: readonly string[]
  readonly ends: readonly RunEnd[]
  /** How many turns the model has finished. */
  readonly turns: number
  /** Whether anything was recorded after the last end. */
  readonly isOpen: boolean
  /** Whether the last end was ordered by `Journal.stop`. */
  readonly isStopped: boolean
  /** How many messages were sent to it. */
  readonly messages: number
  readonly unread: readonly UnreadMessage[]
  /** What a person allowed for the rest of the run. */
  readonly rules: readonly string[]
  /** How many turns there were before each last turn without tools, which was asked for at a limit. */
  readonly finals: readonly number[]
  /** What the last turns without tools took, which were asked for at limits. */
  readonly finalUsage: Usage
  /** What the tools remembered. */
  readonly remembered: ReadonlyMap<string, unknown>
}

/** What the model last said before a message that continues the run, if that was not an answer. */
export function saidBefore(end: RunEnd | undefined): Pick<RunInput, 'said'> {
  return end && end.reason !== 'answer' && end.text !== '' ? { said: end.text } : {}
}

/** Reads the history of a run from its records. */
export function readHistory(records: readonly JournalRecord[]): History {
  const setups: RunSetup[] = []
  const inputs: RunInput[] = []
  const late: LateOutcome[] = []
  const ends: RunEnd[] = []
  const sent: (UnreadMessage & { readonly end: number })[] = []
  const rules: string[] = []
  const remembered = new Map<string, unknown>()
  const finals: number[] = []
  let turns = 0
  let finalUsage = noUsage
  let last = ''
  for (const record of records) {
    const { key, kind } = record
    if (kind === 'message')
      sent.push({ number: sent.length, message: record.value as RunMessage, end: ends.length })
    if (kind !== 'value') continue
    last = key
    const [first = '', , third, , fifth] = key.split('/')
    if (first === 'run') setups.push(record.value as RunSetup)
    else if (first === 'input') inputs.push(record.value as RunInput)
    else if (first === 'late') late.push(record.value as LateOutcome)
    else if (first === 'end') ends.push(record.value as RunEnd)
    else if (first === 'turn' && third === undefined) turns++
    else if (first === 'final' && third === undefined) {
      finals.push(turns)
      finalUsage = addUsage(finalUsage, (record.value as Turn).usage)
    } else if (fifth === 'approval') rules.push(...((record.value as RecordedApproval).rules ?? []))
    else if (third === 'call' && fifth === undefined)
      for (const [name, each] of Object.entries((record.value as ToolOutcome).remembered ?? {}))
        remembered.set(name, each)
  }
  const sources = [...setups, ...inputs]
  const read = new Set(inputs.map(({ number }) => number))
  return {
    setup: setups.at(-1),
    setups: setups.length,
    inputs,
    late,
    untrusted: sources.flatMap(({ untrusted = [] }) => untrusted),
    ends,
    turns,
    isOpen: last !== '' && !last.startsWith('end/'),
    isStopped: sent.some(({ message, end }) => message.type === 'stop' && end === ends.length - 1),
    messages: sent.length,
    // A stop that was carried out counts no longer.
    unread: sent.filter(
      ({ number, message, end }) =>
        !read.has(number) && (message.type !== 'stop' || end === ends.length),
    ),
    rules,
    finals,
    finalUsage,
    remembered,
  }
}
