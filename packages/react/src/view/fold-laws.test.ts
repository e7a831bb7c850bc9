import { isDeepStrictEqual } from 'node:util'
import type { RunEvent } from '@toolglot/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { stories, type Stream, streamOf } from '../../test/recorded-streams.ts'
import { createFold } from './fold.ts'
import { type CallPart, callState, type Item, type Part, type RunView } from './run-view.ts'

const RUNS = runs(60)

/**
 * The previews that a reader receives: the server drops some of them, and a slow reader gets none.
 */
const seen = fc.infiniteStream(fc.integer({ min: 0, max: 5 }))

/** The events that a reader of the stream receives. Where `seen` is 0, a preview is missing. */
function* readBy(stream: Stream, seenBy: Iterator<number>): Generator<RunEvent> {
  const { recorded, previews } = stream
  for (const event of [undefined, ...recorded]) {
    if (event) yield event
    for (const preview of previews.get(event?.seq ?? -1) ?? [])
      if (seenBy.next().value !== 0) yield preview
  }
}

function viewOf(events: Iterable<RunEvent>): RunView {
  const fold = createFold('run-1')
  for (const event of events) fold.add(event)
  return fold.view()
}

function callsIn(view: RunView): CallPart[] {
  return view.items.flatMap((item) => partsOf(item).filter((part) => part.type === 'call'))
}

async function law(check: (stream: Stream, seenBy: Iterator<number>) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(stories, seen, async (story, choices) => {
      check(await streamOf(story), choices)
    }),
    RUNS,
  )
}

test('after a recorded event, earlier previews make no difference', async () => {
  await law((stream, seenBy) => {
    const plain = createFold('run-1')
    const live = createFold('run-1')
    for (const event of readBy(stream, seenBy)) {
      live.add(event)
      // Reading the view in between makes no difference either.
      if (event.seq % 3 === 0) live.view()
      if (event.transient) continue
      plain.add(event)
      expect(live.view()).toEqual(plain.view())
    }
  })
})

test('after a recorded event, impossible earlier previews make no difference', async () => {
  await fc.assert(
    fc.asyncProperty(stories, stories, seen, async (one, other, choices) => {
      const [{ recorded }, strange] = [await streamOf(one), await streamOf(other)]
      const pool = [...strange.recorded, ...[...strange.previews.values()].flat()]
      const plain = createFold('run-1')
      const live = createFold('run-1')
      let at = 0
      for (const event of recorded) {
        plain.add(event)
        live.add(event)
        expect(live.view()).toEqual(plain.view())
        for (let count: number = choices.next().value; count > 0; count--)
          live.add({ ...pool[at++ % pool.length]!, seq: event.seq, transient: true })
        live.view()
      }
    }),
    RUNS,
  )
})

test('reading in two parts gives the same view', async () => {
  await law((stream, seenBy) => {
    const { recorded } = stream
    const cut = recorded.length >> 1
    const fold = createFold('run-1')
    for (const event of readBy(stream, seenBy)) {
      if (event.seq >= cut && !event.transient) break
      fold.add(event)
    }
    // The second reader begins after the last recorded event, and gets all later previews again.
    fold.dropPreviews()
    const { seq } = fold.view()
    expect(fold.view()).toEqual(viewOf(recorded.filter((event) => event.seq <= seq)))
    for (const event of recorded) if (event.seq > seq) fold.add(event)
    expect(fold.view()).toEqual(viewOf(recorded))
  })
})

/** Checks that views do not change, and that unchanged parts are shared between them. */
function expectShared(events: Iterable<RunEvent>): void {
  const fold = createFold('run-1')
  let before = freeze(fold.view())
  let recorded = before
  for (const event of events) {
    // Changing a frozen value throws.
    fold.add(freeze(event))
    const view = freeze(fold.view())
    expect(fold.view()).toBe(view)
    for (const [at, item] of view.items.entries()) {
      // A recorded event drops the preceding previews.
      const old = (event.transient ? before : recorded).items[at]
      if (isDeepStrictEqual(item, old)) expect(item).toBe(old)
      // The parts of a changed turn also stay the same objects unless they changed.
      const [parts, oldParts] = [partsOf(item), partsOf(old)]
      for (const [place, part] of parts.entries())
        if (isDeepStrictEqual(part, oldParts[place])) expect(part).toBe(oldParts[place])
    }
    before = view
    if (!event.transient) recorded = view
  }
}

test('a returned view never changes, and unchanged parts are the same objects', async () => {
  await law((stream, seenBy) => expectShared(readBy(stream, seenBy)))
})

test("the view stays the same when a continued run repeats a call's question", async () => {
  const stream = await streamOf({
    turns: [[{ type: 'call', name: 'ask', value: 'one' }], [{ type: 'text', text: 'two' }]],
    answers: ['leave'],
    chunkSize: 40,
    breaks: [{ after: 40, model: 'same' }],
    message: false,
    maxIterations: 2,
  })
  // All previews arrive.
  const events = [...readBy(stream, new Set<number>().values())]
  const asked = events.filter(({ type }) => type === 'question')
  expect(asked.map(({ transient = false }) => transient)).toEqual([false, true])
  expectShared(events)
})

test('the view stays the same when an empty turn is requested again', () => {
  const about = { run: 'run-1', time: 0, seq: 0 }
  const warning = { type: 'warning', code: 'model_unavailable', message: 'Busy.' } as const
  expectShared([
    { type: 'turn-start', turn: 0, ...about },
    { ...warning, ...about, transient: true },
  ])
})

test('every call is in the view once, and unanswered ones are waiting', async () => {
  await law((stream, seenBy) => {
    const fold = createFold('run-1')
    const ended: string[] = []
    const asked = new Map<string, Set<string>>()
    for (const event of readBy(stream, seenBy)) {
      fold.add(event)
      const view = fold.view()
      const ids = view.items.flatMap((item) => [item.id, ...partsOf(item).map(({ id }) => id)])
      expect(new Set(ids).size).toBe(ids.length)
      expect(view.waiting).toEqual(
        callsIn(view)
          .filter((part) => callState(part) === 'asking')
          .sort((one, other) => since(view, one) - since(view, other)),
      )
      if (event.transient) continue

      if (event.type === 'call-end') ended.push(event.call.id!)
      if (event.type === 'approval-request') ask(asked, event.request.call, event.key)
      if (event.type === 'question') ask(asked, event.call, event.key)
      if (event.type === 'approval') asked.get(event.approval.call)?.delete(event.key)
      if (event.type === 'answer') asked.get(event.call)?.delete(event.key)
      if (event.type === 'tool-end') asked.delete(event.call)
      expect(callsIn(view).flatMap(({ call }) => call?.id ?? [])).toEqual(ended)
      const unanswered = [...asked].flatMap(([id, keys]) => (keys.size > 0 ? [id] : []))
      expect(view.waiting.map(({ id }) => id).sort()).toEqual(unanswered.sort())
    }
  })
})

test('prompts have the number of the next turn for a fork, not counting the final turn after a limit', async () => {
  await law(({ recorded }) => {
    const view = viewOf(recorded)
    const turns = view.items.filter((item) => item.type === 'turn')
    expect(turns.map(({ turn }) => turn)).toEqual(turns.map((_, at) => at))
    let next = 0
    const expected: number[] = []
    for (const event of recorded) {
      if (event.type === 'turn-start' && event.turn >= 0) next = event.turn + 1
      if (event.type === 'prompt') expected.push(next)
    }
    const prompts = view.items.filter((item) => item.type === 'prompt')
    expect(prompts.map(({ turn }) => turn)).toEqual(expected)
  })
})

function ask(asked: Map<string, Set<string>>, call: string, key: string): void {
  const keys = asked.get(call) ?? new Set()
  asked.set(call, keys.add(key))
}

/** The position of a call in the order of waiting. */
function since(view: RunView, part: CallPart): number {
  return view.waiting.findIndex(({ id }) => id === part.id)
}

function partsOf(item: Item | undefined): readonly Part[] {
  return item?.type === 'turn' ? item.parts : []
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const each of Object.values(value)) freeze(each)
  return value
}

test('a copy and its original continue independently', async () => {
  await law(({ recorded }) => {
    const middle = recorded.length >> 1
    const whole = createFold('run-1')
    for (const event of recorded.slice(0, middle)) whole.add(event)
    const before = viewOf(recorded.slice(0, middle))
    const [one, other] = [whole.copy(), whole.copy()]
    for (const event of recorded.slice(middle)) one.add(event)
    expect(one.view()).toEqual(viewOf(recorded))
    expect(other.view()).toEqual(before)
    for (const event of recorded.slice(middle)) other.add(event)
    expect(other.view()).toEqual(one.view())
    expect(whole.view()).toEqual(before)
  })
})
