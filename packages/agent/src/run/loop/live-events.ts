import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import type { RunEvent, RunEventBody } from '../event.ts'
import { createRecordReader, type RecordReader } from '../resume/record-reader.ts'
import type { OnAppend } from '../resume/steps.ts'
import { CallCollector } from '../run-result.ts'
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
