// Start here: showing a server's runs in a page. The hooks connect this view to React; the view
// itself does not depend on React.
import { createClient } from '@toolglot/server/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { apiServer } from '../../server/test/api-server.ts'
import { callState, type RunView, sendPrompt, type Watched, watchRun } from './view/index.ts'

/**
 * A page, as a client of a server that works in a folder with these files. The model is the
 * built-in demo script.
 */
async function page(files: Record<string, string> = {}) {
  const { server, token } = await apiServer({ files })
  const client = createClient({ url: server.url, token })
  return {
    client,
    send: (prompt: string, view?: RunView) =>
      sendPrompt(client, view, { prompt, ...(!view && { model: 'script' }) }),
    /** Watches a run. Returns all of its views in order. */
    show: (run: string) => {
      const watched = watchRun(client, run, { wait: (callback) => callback() })
      const views: RunView[] = []
      onTestFinished(watched.subscribe(() => void views.push(watched.current().view)))
      return { views, until: (state: RunView['state']) => until(watched, state) }
    },
  }
}

const until = (watched: Watched<{ view: RunView }>, state: RunView['state']): Promise<RunView> =>
  vi.waitFor(() => {
    const { view } = watched.current()
    expect(view.state).toBe(state)
    return view
  }, 20_000)

const callsIn = (view: RunView) =>
  view.items.flatMap((item) =>
    item.type === 'turn' ? item.parts.filter((part) => part.type === 'call') : [],
  )

test('A conversation appears: the prompt, each turn with its text and calls, and the end', async () => {
  const { send, show } = await page({ 'package.json': '{"version": "1.0.7"}' })
  const { run } = await send('What version is it?')
  const { views, until } = show(run)
  expect(await until('ended')).toMatchObject({
    items: [
      { type: 'prompt', text: 'What version is it?' },
      { type: 'turn', parts: [{ type: 'text' }, { type: 'call', name: 'Read' }] },
      { type: 'turn', parts: [{ type: 'text', text: expect.stringContaining('1.0.7') }] },
      { type: 'end', reason: 'answer' },
    ],
  })
  // Unchanged items are the same objects, so a page redraws only changed ones.
  expect(new Set(views.map(({ items }) => items[0]).filter(Boolean)).size).toBe(1)
})

test('A call that needs a person is listed until it is answered, and shows its outcome', async () => {
  const { client, send, show } = await page()
  const { run } = await send('Create hello.txt and edit it')
  const { until } = show(run)
  const { waiting } = await until('waiting')
  expect(waiting).toMatchObject([{ name: 'Write', call: { args: { file_path: 'hello.txt' } } }])
  expect(waiting.map(callState)).toEqual(['asking'])
  const body = { key: waiting[0]!.approval!.key, reason: 'Not today' }
  await client.request('POST /api/runs/:run/deny', { parameters: { run }, body })
  const ended = await until('ended')
  expect(ended.waiting).toEqual([])
  expect(callsIn(ended)).toMatchObject([{ outcome: { status: 'denied' } }])
})

test('Another message continues the same conversation', async () => {
  const { send, show } = await page({ 'a.json': '{}' })
  const { run } = await send('Find *.json')
  const { views, until } = show(run)
  const first = await until('ended')
  expect(await send('Find a*', first)).toMatchObject({ run })
  await vi.waitFor(() => expect(views.at(-1)?.items.at(-1)).not.toBe(first.items.at(-1)), 20_000)
  const { items } = await until('ended')
  const prompts = items.flatMap((item) => (item.type === 'prompt' ? [item.text] : []))
  expect(prompts).toEqual(['Find *.json', 'Find a*'])
})
