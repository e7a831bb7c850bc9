import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { RunCall, RunEvent, RunEventBody } from '../event.ts'
import { createRecordReader, type RecordReader } from '../resume/record-reader.ts'
import type { OnAppend } from '../resume/steps.ts'
import type { CallRecord } from '../run-result.ts'
import { callsOf, type Turn } from '../turn/recorded-turn.ts'
import { EventQueue, type Work } from './event-queue.ts'

/**
 * The events of a run in progress, in order: recorded events, created from the run's records, with
 * transient events between them.
 */
export class LiveEvents {
  readonly #run: string
  readonly #queue = new EventQueue<RunEvent>()
  /** Reads the records. Events of earlier records are not emitted. */
  readonly reader: RecordReader
  /** The recorded calls. */
  readonly collector: CallCollector = new CallCollector()
  /** The text of the reply being written. */
  #written = ''
  /** The recorded end of the run. It is emitted after all resources have been closed. */
  end: RunEvent | undefined

  constructor(run: string) {
    this.#run = run
    this.reader = createRecordReader(run)
  }

  /** Emits a transient event: a preview of a record, or an event without a record. */
  readonly emit = (body: RunEventBody): void => {
    const time = Date.now()
    if (body.type === 'turn-start') this.#written = ''
    else if (body.type === 'text') this.#written += body.delta
    // Another request follows, so this reply is discarded.
    else if (body.type === 'warning' && body.code.startsWith('model_')) this.#written = ''
    this.#queue.push(() => this.transient(body, time))
  }

  /** Emits the events of a record once it is durable. */
  readonly onAppend: OnAppend = () => {
    const fill = this.#queue.reserve()
    return (record) => fill(() => this.#recorded(record))
  }

  /** The part of the reply that is not recorded yet. */
  readonly unfinished = (): string => this.#written

  transient(body: RunEventBody, time: number = Date.now()): RunEvent {
    return { ...body, run: this.#run, seq: this.reader.seq, time, transient: true }
  }

  /** Reads the record of a turn without emitting its events. Its calls count. */
  learn(record: JournalRecord): void {
    this.reader.read(record)
    this.#addCalls(record)
  }

  /** Does work, yields the events emitted during it, and returns its result. */
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

  /**
   * The calls of a recorded turn were previewed before, possibly along with those of a discarded
   * reply.
   */
  #addCalls(record: JournalRecord): void {
    if (isTurn(record))
      for (const call of callsOf(record.value as Turn)) this.collector.expect(call)
  }
}

function isTurn({ key, kind }: JournalRecord): boolean {
  return kind === 'value' && parseKey(key)?.type === 'turn'
}

/**
 * Collects the calls of a run from its recorded events, in the order in which the model wrote them.
 */
class CallCollector {
  turns = 0
  /** The rules allowed by a person. */
  readonly rules: string[] = []
  readonly #calls: OpenCall[] = []
  /** The calls that have not ended yet. */
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

  /**
   * Finds a call by id. If another process recorded its turn, the call is not known yet and is
   * added.
   */
  #find(call: string, name: string): OpenCall {
    for (const open of this.#open) if (open.call === call) return open
    return this.expect({ id: call, name, args: {} })
  }
}

interface OpenCall extends Pick<CallRecord, 'call' | 'name'> {
  args: CallRecord['args']
  outcome: ToolOutcome | undefined
}
