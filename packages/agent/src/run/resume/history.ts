import type { Message, UserMessage } from '../../context/message.ts'
import type { JournalRecord, RunMessage } from '../../journal/journal.ts'
import {
  type CallKey,
  type CompactionKey,
  parseKey,
  printKey,
  type TurnKey,
} from '../../journal/keys.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import type { RecordedApproval } from '../approval/approve-call.ts'
import type { NotRun, ToolOutcome } from '../calls/tool-outcome.ts'
import type { RunEventBody, RunFacts } from '../event.ts'
import type { Compaction } from '../turn/keep-in-context.ts'
import { callsOf, type Turn } from '../turn/recorded-turn.ts'
import { hasMoved } from './setup-changes.ts'

/** The setup of a run, as recorded in the journal. */
export interface RunSetup extends Omit<RunFacts, 'folder'> {
  readonly protocol: string
  /** The working directory. */
  readonly cwd?: string
  readonly tools: readonly unknown[]
  readonly messages: readonly Message[]
  /** Text in the messages that comes from untrusted sources. */
  readonly untrusted?: readonly string[]
  /** Warnings about the configuration of the tools. */
  readonly warnings?: readonly string[]
  /** The span of the process that started the run, as `traceparent`. */
  readonly trace?: string
}

/** A message added to a run by a person, and the turn that follows it. */
export interface RunInput {
  readonly message: UserMessage
  readonly turn: number
  /** Text of the model that is not part of any turn: see `saidBefore`. */
  readonly said?: string
  /** Text in the message that comes from untrusted sources. */
  readonly untrusted?: readonly string[]
  /** The number of the message, if it was sent while the run was running. */
  readonly number?: number
}

/**
 * The outcome of a call that ended after the run had stopped waiting for it. The model reads it
 * before the given turn.
 */
export interface LateOutcome {
  readonly call: string
  readonly name: string
  readonly turn: number
  readonly outcome: ToolOutcome
}

/** A message or a late outcome that arrived before a turn. */
export type Arrival = RunInput | LateOutcome

/** True for a message, false for an outcome. */
export function isInput(arrival: Arrival): arrival is RunInput {
  return 'message' in arrival
}

/** The end of a run. */
export type RunEnd = Omit<Extract<RunEventBody, { type: 'run-end' }>, 'type'>

/** The end of a run as recorded in the journal. */
export interface RecordedEnd extends RunEnd {
  /** The keys of the calls without an outcome. Those that had not started are cancelled. */
  readonly cancelled?: readonly string[]
}

/** A message that the run has not read yet. */
export interface UnreadMessage {
  readonly number: number
  readonly message: RunMessage
}

/**
 * A compaction of the history before a turn. A turn has several if it failed, or if one compaction
 * was not enough.
 */
export interface RecordedCompaction {
  readonly key: CompactionKey
  /** The number of preceding arrivals. Later ones are not included in the compaction. */
  readonly arrivals: number
  /** The compaction itself. Undefined if only its summary was recorded. */
  readonly value: Compaction | undefined
}

/** The state of a run before it is resumed, according to its records. */
export interface History {
  readonly setup: RunSetup | undefined
  /** The number of recorded setups. Each confirmed change of the setup adds one. */
  readonly setups: number
  /** Messages and late outcomes, in the order of their records. */
  readonly arrivals: readonly Arrival[]
  /** Compactions by printed key, in the order of their records. */
  readonly compactions: ReadonlyMap<string, RecordedCompaction>
  /** The untrusted text in all setups and inputs. */
  readonly untrusted: readonly string[]
  readonly ends: readonly RunEnd[]
  /** The number of turns completed by the model. */
  readonly turns: number
  /** True if there are records after the last end. */
  readonly isOpen: boolean
  /** True if `Journal.stop` caused the last end. */
  readonly isStopped: boolean
  /** The number of messages sent to the run. */
  readonly messages: number
  readonly unread: readonly UnreadMessage[]
  /** The rules that a person has allowed for the rest of the run. */
  readonly rules: readonly string[]
  /** The hosts that a person has allowed calls to reach for the rest of the run. */
  readonly hosts: readonly string[]
  /** For each last turn without tools, which follows a limit: the number of turns before it. */
  readonly finals: readonly number[]
  /** The usage of the last turns without tools, including their compactions. */
  readonly finalUsage: Usage
  /** State stored by tools, by key. */
  readonly remembered: ReadonlyMap<string, unknown>
}

/**
 * Text that the model wrote before a message that continues the run and that is not part of any
 * turn: a cut-off reply, or the answer at a limit.
 */
export function saidBefore(end: RunEnd | undefined): Pick<RunInput, 'said'> {
  const said = end?.unfinished ?? (end && FINAL_TURN.has(end.reason) ? end.text : '')
  return said === '' ? {} : { said }
}

/** The ends that follow a last turn without tools. */
const FINAL_TURN: ReadonlySet<RunEnd['reason']> = new Set([
  'max_iterations',
  'max_tool_calls',
  'loop',
])

/** Reads the history of a run from its records. */
export function readHistory(records: readonly JournalRecord[]): History {
  const setups: RunSetup[] = []
  const arrivals: Arrival[] = []
  const compactions = new Map<string, RecordedCompaction>()
  const ends: RunEnd[] = []
  const sent: (UnreadMessage & { readonly end: number })[] = []
  const rules: string[] = []
  const hosts: string[] = []
  const remembered = new Map<string, unknown>()
  const finals: number[] = []
  let turns = 0
  let finalUsage = noUsage
  let isOpen = false
  for (const record of records) {
    if (record.kind === 'message')
      sent.push({ number: sent.length, message: record.value as RunMessage, end: ends.length })
    if (record.kind !== 'value') continue
    const key = parseKey(record.key)
    isOpen = key?.type !== 'end'
    switch (key?.type) {
      case 'setup': {
        const setup = record.value as RunSetup
        // Permissions granted in another folder apply neither in this folder nor after a return to
        // the original one.
        if (hasMoved(setups.at(-1), setup)) [rules.length, hosts.length] = [0, 0]
        setups.push(setup)
        break
      }
      case 'input':
      case 'late':
        arrivals.push(record.value as Arrival)
        break
      case 'end':
        ends.push(record.value as RunEnd)
        break
      case 'turn':
        if (!key.final) turns++
        else {
          finals.push(turns)
          finalUsage = addUsage(finalUsage, (record.value as Turn).usage)
        }
        break
      case 'compaction':
      case 'summary': {
        const value = key.type === 'summary' ? undefined : (record.value as Compaction)
        const own: CompactionKey = { ...key, type: 'compaction' }
        compactions.set(printKey(own), { key: own, arrivals: arrivals.length, value })
        if (key.final) finalUsage = addUsage(finalUsage, value?.usage ?? noUsage)
        break
      }
      case 'approval': {
        const { rules: added = [], network } = record.value as RecordedApproval
        rules.push(...added)
        if (typeof network === 'object') hosts.push(...network.hosts)
        break
      }
      case 'call':
        for (const [name, each] of Object.entries((record.value as ToolOutcome).remembered ?? {}))
          remembered.set(name, each)
        break
      default:
    }
  }
  const inputs = arrivals.filter(isInput)
  const sources = [...setups, ...inputs]
  const read = new Set(inputs.map(({ number }) => number))
  return {
    setup: setups.at(-1),
    setups: setups.length,
    arrivals,
    compactions,
    untrusted: sources.flatMap(({ untrusted = [] }) => untrusted),
    ends,
    turns,
    isOpen,
    isStopped: sent.some(({ message, end }) => message.type === 'stop' && end === ends.length - 1),
    messages: sent.length,
    // A stop order that has been executed counts as read.
    unread: sent.filter(
      ({ number, message, end }) =>
        !read.has(number) && (message.type !== 'stop' || end === ends.length),
    ),
    rules,
    hosts,
    finals,
    finalUsage,
    remembered,
  }
}

/** The calls of the last turn that have no outcome yet. */
export function openCalls(records: readonly JournalRecord[]): readonly CallKey[] {
  const values = records.filter(({ kind }) => kind === 'value')
  let last: { readonly key: TurnKey; readonly value: Turn } | undefined
  for (const record of values) {
    const key = parseKey(record.key)
    if (key?.type === 'turn' && !key.final) last = { key, value: record.value as Turn }
  }
  if (!last) return []
  const { key: turn } = last
  const byKey = new Map(values.map((record) => [record.key, record]))
  const notRun = byKey.get(printKey({ ...turn, type: 'not-run' }))?.value as NotRun | undefined
  return callsOf(last.value)
    .slice(0, notRun?.from)
    .map((_, call): CallKey => ({ ...turn, type: 'call', call }))
    .filter((key) => !byKey.has(printKey(key)))
}
