import type { RunEvent } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { allRead, fakeClient, settled } from '../../test/fake-client.ts'
import { type Watched, watchRun } from './watch-run.ts'
import { watchersOf } from './watchers.ts'

const prompt = (seq: number, content = `prompt ${seq}`): RunEvent => ({
  type: 'prompt',
  content,
  run: 'run-1',
  seq,
  time: 1,
})
const turnStart = (seq: number): RunEvent => ({
  type: 'turn-start',
  turn: 0,
  run: 'run-1',
  seq,
  time: 1,
  transient: true,
})
const text = (seq: number, delta: string): RunEvent => ({
  type: 'text',
  delta,
  at: 0,
  run: 'run-1',
  seq,
  time: 1,
  transient: true,
})

/** Collects callbacks for the next frame until `draw` is called. */
function frames(): { readonly wait: (callback: () => void) => void; readonly draw: () => number } {
  let due: (() => void)[] = []
  return {
    wait: (callback) => void due.push(callback),
    draw() {
      const now = due
      due = []
      for (const callback of now) callback()
      return now.length
    },
  }
}

function countChanges(watched: Watched<unknown>): {
  readonly count: () => number
  readonly stop: () => void
} {
  let count = 0
  const stop = watched.subscribe(() => void count++)
  return { count: () => count, stop }
}

/** A watched run that is drawn by `draw`. */
async function watching() {
  const { client, connections } = fakeClient()
  const { wait, draw } = frames()
  const watched = watchRun(client, 'run-1', { wait })
  const changes = countChanges(watched)
  await settled()
  return { connections, draw, watched, changes }
}

test('transfers no data before the first subscription', async () => {
  const { client, connections } = fakeClient()
  const watched = watchRun(client, 'run-1')
  expect(watched.current()).toMatchObject({ connection: 'connecting', view: { state: 'new' } })
  await settled()
  expect(connections).toHaveLength(0)
})

test('batches all changes before a frame in one call', async () => {
  const { connections, draw, watched, changes } = await watching()
  draw()
  const before = changes.count()
  const old = watched.current()
  connections[0]!.options.onConnect?.()
  for (let seq = 0; seq < 500; seq++) connections[0]!.send(prompt(seq))
  await allRead(connections[0]!)
  expect(watched.current()).toBe(old)
  expect(draw()).toBe(1)
  expect(changes.count() - before).toBe(1)
  expect(watched.current()).toMatchObject({ connection: 'connected', view: { seq: 499 } })
  changes.stop()
})

test('reports when the server is lost and back, and why a run cannot be watched', async () => {
  const { connections, draw, watched, changes } = await watching()
  const [connection] = connections
  const { options } = connection!
  const states: string[] = []
  const see = (): void => {
    draw()
    states.push(watched.current().connection)
  }
  options.onConnect?.()
  see()
  connection!.send(prompt(0))
  await allRead(connection!)
  options.onDisconnect?.(new Error('gone'))
  see()
  // Items that were visible stay visible.
  expect(watched.current().view.items).toHaveLength(1)
  options.onConnect?.()
  see()
  expect(states).toEqual(['connected', 'lost', 'connected'])
  connection!.fail(new Error('No run has this id.'))
  await settled()
  draw()
  expect(watched.current().error?.message).toBe('No run has this id.')
  changes.stop()
})

test('disconnects without subscribers, and later continues after the last recorded event', async () => {
  const { connections, draw, watched, changes } = await watching()
  for (const event of [prompt(0), prompt(1), turnStart(1), text(1, 'Hel')])
    connections[0]!.send(event)
  await allRead(connections[0]!)
  draw()
  changes.stop()
  await settled()
  expect(connections[0]).toMatchObject({ isClosed: true })

  const second = countChanges(watched)
  await settled()
  expect(connections).toHaveLength(2)
  expect(connections[1]!.options.after).toBe(1)
  // The previews arrive again but are shown once.
  for (const event of [turnStart(1), text(1, 'Hel'), text(1, 'lo')]) connections[1]!.send(event)
  await allRead(connections[1]!)
  draw()
  expect(watched.current().view.items).toMatchObject([
    { type: 'prompt' },
    { type: 'prompt' },
    { type: 'turn', parts: [{ text: 'Hello' }] },
  ])
  second.stop()
})

test('keeps the connection if a subscriber is replaced immediately, as React does in development', async () => {
  const { client, connections } = fakeClient()
  const watched = watchRun(client, 'run-1')
  countChanges(watched).stop()
  const { stop } = countChanges(watched)
  await settled()
  expect(connections).toHaveLength(1)
  expect(connections[0]!.isClosed).toBe(false)
  stop()
  await settled()
  expect(connections[0]!.isClosed).toBe(true)
})

test('notifies no subscriber after the last one has left', async () => {
  const { connections, draw, changes } = await watching()
  draw()
  const before = changes.count()
  connections[0]!.send(prompt(0))
  await allRead(connections[0]!)
  changes.stop()
  draw()
  expect(changes.count()).toBe(before)
})

test('watches a run once for many subscribers, and keeps a few unwatched ones', () => {
  const { client } = fakeClient()
  const watchers = watchersOf(client)
  expect(watchersOf(client)).toBe(watchers)
  const first = watchers.run('run-0')
  expect(watchers.run('run-0')).toBe(first)
  for (let other = 1; other < 8; other++) watchers.run(`run-${other}`)
  expect(watchers.run('run-0')).toBe(first)
  for (let other = 8; other < 16; other++) watchers.run(`run-${other}`)
  expect(watchers.run('run-0')).not.toBe(first)
})
