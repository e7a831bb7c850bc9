import type { RunEvent } from '@toolglot/agent'
import { ApiError } from '@toolglot/server/client'
import { expect, test } from 'vitest'
import { fakeClient } from '../../test/fake-client.ts'
import { createFold } from './fold.ts'
import type { RunView } from './run-view.ts'
import { resendPrompt, sendPrompt } from './send-prompt.ts'

const start = { type: 'run-start', model: 'm', protocol: 'hermes', resumed: false }
const end = { type: 'run-end', reason: 'answer', text: '', usage: { input: 0, output: 0 } }

function viewAfter(...bodies: readonly object[]): RunView {
  const fold = createFold('run-1')
  for (const [seq, body] of bodies.entries())
    fold.add({ ...body, run: 'run-1', seq, time: 1 } as RunEvent)
  return fold.view()
}

test('the first message starts a run', async () => {
  const { client, requests } = fakeClient({ run: 'run-9' })
  const sent = { prompt: 'Hi', folder: '/home/ann', model: 'ollama/qwen3:8b' }
  expect(await sendPrompt(client, undefined, sent)).toMatchObject({ run: 'run-9' })
  expect(requests).toEqual([{ name: 'POST /api/runs', input: { body: sent } }])
})

test('a message goes to a running run before its next turn, including attached text files', async () => {
  const { client, requests } = fakeClient()
  const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const
  const notes = { type: 'text', name: 'notes.txt', text: 'Ship it.' } as const
  const sent = { prompt: 'Read this.', attachments: [image, notes], model: 'ignored' }
  expect(await sendPrompt(client, viewAfter(start), sent)).toMatchObject({ run: 'run-1' })
  expect(requests).toEqual([
    {
      name: 'POST /api/runs/:run/messages',
      input: {
        parameters: { run: 'run-1' },
        body: { message: 'Read this.\n\nnotes.txt:\n\nShip it.', attachments: [image] },
      },
    },
  ])
})

test('a message continues a run that has just ended; other refusals throw', async () => {
  const refusing = (code: ApiError['code']) => {
    const { client, requests } = fakeClient({ run: 'run-1' })
    const request = (name: string, input: object): Promise<unknown> =>
      name.endsWith('/messages')
        ? Promise.reject(new ApiError(409, { code, detail: 'No.' }))
        : client.request(name as never, input as never)
    return { client: { ...client, request } as typeof client, requests }
  }
  const { client, requests } = refusing('run_ended')
  expect(await sendPrompt(client, viewAfter(start), { prompt: 'More' })).toMatchObject({
    run: 'run-1',
  })
  expect(requests).toEqual([
    {
      name: 'POST /api/runs/:run/resume',
      input: { parameters: { run: 'run-1' }, body: { prompt: 'More' } },
    },
  ])
  const other = refusing('storage_failed')
  const sending = sendPrompt(other.client, viewAfter(start), { prompt: 'More' })
  await expect(sending).rejects.toMatchObject({ code: 'storage_failed' })
  expect(other.requests).toEqual([])
})

test('a message continues an ended run with the newly chosen options', async () => {
  const { client, requests } = fakeClient({ run: 'run-1' })
  const sent = { prompt: 'Again', model: 'other', folder: '/elsewhere' }
  expect(await sendPrompt(client, viewAfter(start, end), sent)).toMatchObject({ run: 'run-1' })
  await sendPrompt(client, viewAfter(start, end), { ...sent, acceptChanges: true })
  // The folder does not change.
  const body = { prompt: 'Again', model: 'other' }
  const name = 'POST /api/runs/:run/resume'
  const parameters = { run: 'run-1' }
  expect(requests).toEqual([
    { name, input: { parameters, body } },
    { name, input: { parameters, body: { ...body, acceptChanges: true } } },
  ])
})

test('a changed message continues a copy, from the turn after it', async () => {
  const { client, requests } = fakeClient({ run: 'run-2' })
  const view = viewAfter(
    start,
    { type: 'prompt', content: 'One' },
    { type: 'turn-start', turn: 0 },
    { type: 'turn-end', turn: 0, usage: { input: 0, output: 0 } },
    end,
    { ...start, resumed: true },
    { type: 'prompt', content: 'Two' },
  )
  const prompt = view.items.findLast((item) => item.type === 'prompt')!
  expect(await resendPrompt(client, 'run-1', prompt, { prompt: 'Three' })).toEqual({ run: 'run-2' })
  expect(requests).toEqual([
    {
      name: 'POST /api/runs/:run/fork',
      input: { parameters: { run: 'run-1' }, body: { prompt: 'Three', turn: 1 } },
    },
  ])
})
