import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { RunCall, RunEvent, RunEventBody } from '../event.ts'
import { createRecordReader, type RecordReader } from '../resume/record-reader.ts'
import type { OnAppend } from '../resume/steps.ts'
import type { CallRecord } from '../run-result.ts'
import { callsOf, type Turn } from '../turn/recorded-turn.ts'
import { EventQueue, type Work } from './event-queue.ts'

/** The events of a run in progress, in order: recorded ones, made from its records, and transient ones between them. */
export class LiveEvents {
  readonly #run: string
  readonly #queue = new EventQueue<RunEvent>()
  /** Reads the records. Events of records from before are not emitted. */
  readonly reader: RecordReader
  /** The calls that were recorded. */
  readonly collector: CallCollector = new CallCollector()
  /** The text of the reply that is being written. */
  #written = ''
  /** The recorded end of the run. It is reported when everything is closed. */
  end: RunEvent | undefined

  constructor(run: string) {
    this.#run = run
    this.reader = createRecordReader(run)
  }

  /** Emits a transient event: a preview of a record, or something that no record contains. */
  readonly emit = (body: RunEventBody): void => {
    const time = Date.now()
    if (body.type === 'turn-start') this.#written = ''
    else if (body.type === 'text') this.#written += body.delta
    // Another request follows: nothing of this reply is used.
    else if (body.type === 'warning' && body.code.startsWith('model_')) this.#written = ''
    this.#queue.push(() => this.transient(body, time))
  }

  /** Emits the events of a record once it is durable. */
  readonly onAppend: OnAppend = () => {
    const fill = this.#queue.reserve()
    return (record) => fill(() => this.#recorded(record))
  }

  /** The text of a reply that is not recorded yet. */
  readonly unfinished = (): string => this.#written

  transient(body: RunEventBody, time: number = Date.now()): RunEvent {
    return { ...body, run: this.#run, seq: this.reader.seq, time, transient: true }
  }

  /** Reads the record of a turn whose events are not emitted, but whose calls count. */
  learn(record: JournalRecord): void {
    this.reader.read(record)
    this.#addCalls(record)
  }

  /** Yields the events that are emitted during some work, and returns its result. */
  during<Value, Result>(work: Work<RunEvent, Value, Result>): AsyncGenerator<RunEvent, Result> {
    return this.#queue.during(work)
  }

  #recorded(record: JournalRecord | undefined): readonly RunEvent[] {
    if (!record) return []
    if (isTurn(record)) this.#written = ''
    this.#addCalls(record)
    const events = this.reader.readLive(record)
    for (const event of events) this.collector.add(event)
    if (events.at(-1)?.type === 'run-end') this.end = events.pop()
    return events
  }

  /** The calls of a recorded turn were emitted before, maybe among those of a reply that was discarded. */
  #addCalls(record: JournalRecord): void {
    if (isTurn(record))
      for (const call of callsOf(record.value as Turn)) this.collector.expect(call)
  }
}

function isTurn({ key, kind }: JournalRecord): boolean {
  return kind === 'value' && parseKey(key)?.type === 'turn'
}

/** Collects the calls of a run from its recorded events, in the order in which the model made them. */
class CallCollector {
  turns = 0
  /** The rules that a person allowed. */
  readonly rules: string[] = []
  readonly #calls: OpenCall[] = []
  /** The calls that have not ended. */
  readonly #open = new Set<OpenCall>()

  get calls(): readonly CallRecord[] {
    return this.#calls.flatMap(({ outcome, ...call }) => (outcome ? [{ ...call, outcome }] : []))
  }

  /** Adds a call that has not ended yet. */
  expect({ id, name, args }: Pick<RunCall, 'id' | 'name' | 'args'>): OpenCall {
    const open: OpenCall = { call: id, name, args, outcome: undefined }
    this.#calls.push(open)
    this.#open.add(open)
    return open
  }

  /** Adds the calls of a recorded event. */
  add(event: RunEvent): void {
    if (event.type === 'turn-end') this.turns++
    else if (event.type === 'approval') this.rules.push(...(event.rules ?? []))
    else if (event.type === 'tool-start') this.#find(event.call, event.name).args = event.args
    else if (event.type === 'tool-end') {
      const { call, name, outcome } = event
      const open = this.#find(call, name)
      this.#open.delete(open)
      open.outcome = outcome
      open.args = outcome.args ?? open.args
    }
  }

  /** A call of a turn that another process recorded is not known yet. */
  #find(call: string, name: string): OpenCall {
    for (const open of this.#open) if (open.call === call) return open
    return this.expect({ id: call, name, args: {} })
  }
}

interface OpenCall extends Pick<CallRecord, 'call' | 'name'> {
  args: CallRecord['args']
  outcome: ToolOutcome | undefined
}
