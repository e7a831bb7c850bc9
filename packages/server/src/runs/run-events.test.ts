import { setMaxListeners } from 'node:events'
import { setImmediate as settled } from 'node:timers/promises'
import type { RunEvent } from '@toolglot/agent'
import type { Journal, JournalRecord } from '@toolglot/agent/journal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPosition } from '../anywhere/event-stream.ts'
import { createFeed, type Feed, type FeedListener } from './feed.ts'
import { type IdentifiedEvent, runEvents } from './run-events.ts'

const RUN: Omit<JournalRecord, 'time'> = {
  key: 'run',
  kind: 'value',
  value: {
    model: 'm',
    protocol: 'hermes',
    limits: {},
    permissions: { allow: [], ask: [], deny: [] },
    tools: [],
    messages: [],
  },
}

/** A fake journal: the test decides when a read is answered, and each record is one event. */
function fakeJournal() {
  const records: JournalRecord[] = []
  const waiting: (() => void)[] = []
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const journal: Pick<Journal, 'read' | 'changed'> = {
    async read(_, after = 0) {
      await turn()
      return records.slice(after)
    },
    async changed(_, count, signal) {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
      signal.throwIfAborted()
      do await Promise.race([turn(), aborted])
      while (records.length <= count)
    },
  }
  return {
    journal,
    count: () => records.length,
    record: () => {
      const input = { message: { role: 'user', content: 'x' } }
      const key = `input/${records.length - 1}`
      records.push({
        time: 1,
        ...(records.length === 0 ? RUN : { key, kind: 'value', value: input }),
      })
    },
    /** Resumes all code that is waiting for the journal. */
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

/** A run executed here, and a reader that takes its next event on request. */
function place() {
  const { journal, count, record, answer } = fakeJournal()
  let feed: Feed | undefined
  let listener: FeedListener | undefined
  const stop = new AbortController()
  // These listeners are never removed.
  setMaxListeners(0, stop.signal)
  const events = runEvents(journal, 'r', {
    keepOpen: true,
    feed: () => feed,
    onFeed(given) {
      listener = given
      return () => (listener = undefined)
    },
    stop,
  })
  const seen: IdentifiedEvent[] = []
  let coming: Promise<void> | undefined
  return {
    record,
    answer,
    count,
    seen,
    stop,
    feed: () => feed,
    isWaiting: () => coming !== undefined,
    isWatched: () => listener !== undefined,
    read() {
      coming ??= events.next().then(({ value }) => {
        coming = undefined
        if (value) seen.push(value)
      })
    },
    show() {
      const seq = count() - 1
      feed?.add({ type: 'text', delta: 'x', at: 0, run: 'r', seq, time: 1, transient: true })
    },
    /** Starts another execution, or ends the current one. */
    execute(isExecuted: boolean) {
      feed = isExecuted ? createFeed() : undefined
      listener?.changed()
    },
    async close() {
      stop.abort()
      answer()
      await settled()
      answer()
      await events.return()
    },
  }
}

type Place = ReturnType<typeof place>

/** The events to show after the last event read that were not shown. */
function missing({ feed, seen }: Place): readonly unknown[] {
  const last = seen.length === 0 ? { seq: -1 } : readPosition(seen.at(-1)!.id)!
  const current = feed()
  const isSame = last.preview?.epoch === current?.epoch
  return current?.after(last.seq, isSame ? (last.preview?.number ?? -1) : -1) ?? []
}

/** True if no event arrives even though the journal answers. */
async function isQuiet({ seen, answer }: Place): Promise<boolean> {
  const { length } = seen
  answer()
  await settled()
  return seen.length === length
}

/**
 * Checks that every recorded event appears once and in order, followed by the transient events of
 * each execution, in order.
 */
function expectInOrder(seen: readonly IdentifiedEvent[]): void {
  let seq = -1
  let shown: { number: number; epoch: string } | undefined
  for (const { id, event } of seen) {
    const position = readPosition(id)!
    expect(position.seq).toBe(event.seq)
    if (!position.preview) {
      expect([event.seq, event.transient]).toEqual([seq + 1, undefined])
      seq += 1
      shown = undefined
    } else {
      expect([event.seq, event.transient]).toEqual([seq, true])
      const { number, epoch } = position.preview
      expect(number).toBe(shown?.epoch === epoch ? shown.number + 1 : 0)
      shown = { number, epoch }
    }
  }
}

test('previews during a pause of the reader are available afterwards', async () => {
  const run = place()
  const step = async (...actions: (keyof Pick<Place, 'record' | 'answer' | 'read' | 'show'>)[]) => {
    for (const action of actions) run[action]()
    await settled()
  }
  run.execute(true)
  // The reader waits, and the journal answers first; no other code may take the next ring.
  await step('record', 'read', 'answer')
  await step('read')
  await step('record', 'show')
  await step('answer')
  await step('answer')
  await step('read')
  expect(run.seen.map(({ event }) => [event.seq, event.transient])).toEqual([
    [0, undefined],
    [1, undefined],
    [1, true],
  ])
  await step('show')
  await step('read')
  expect(run.seen).toHaveLength(4)
  await run.close()
})

test('yields correct events however events, previews, journal answers and pauses are interleaved', async () => {
  const often = fc.constantFrom('record', 'show', 'answer', 'read')
  const action = fc.record({
    action: fc.oneof({ weight: 15, arbitrary: often }, fc.constantFrom('execute', 'end')),
    /**
     * The pause before the next step: a number of microtasks, or until all promises have settled.
     */
    pause: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant('rest')),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 100, size: 'max' }), async (script) => {
      const run = place()
      run.execute(true)
      for (const { action: what, pause } of script) {
        if (what === 'execute' || what === 'end') run.execute(what === 'execute')
        else run[what]()
        if (pause === 'rest') {
          await settled()
          // The reader never waits while there are unread events.
          if (run.isWaiting()) expect(missing(run)).toEqual([])
        } else for (let count = 0; count < pause; count += 1) await Promise.resolve()
      }
      // In the end, all events have been read, regardless of earlier steps.
      for (let quiet = 0; quiet < 4; quiet += 1) {
        run.read()
        if (!(await isQuiet(run))) quiet = 0
      }
      expectInOrder(run.seen)
      expect(run.seen.filter(({ event }) => !event.transient)).toHaveLength(run.count())
      expect(missing(run)).toEqual([])
      await run.close()
      expect(run.isWatched()).toBe(false)
    }),
    { numRuns: 400 },
  )
})

test('ends when the run is deleted, even while waiting', async () => {
  const run = place()
  run.record()
  run.read()
  run.answer()
  await settled()
  run.read()
  run.answer()
  await settled()
  expect(run.isWaiting()).toBe(true)
  run.stop.abort()
  await settled()
  expect(run.isWaiting()).toBe(false)
  expect(run.isWatched()).toBe(false)
  expect(run.seen.map(({ event }): RunEvent['type'] => event.type)).toEqual(['run-start'])
})
