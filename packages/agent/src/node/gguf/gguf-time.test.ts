import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { type FakeLlama, fakeLlama } from '../../../test/fake-llama.ts'
import { chunksOf, request, textIn } from '../../../test/replies.ts'
import { writeGguf } from '../../../test/write-gguf.ts'
import type { Model } from '../../model/model.ts'
import { collect } from '../../run/run-result.ts'
import { run } from '../../run/run.ts'
import { ggufModel, type GgufOptions, unloadGguf } from './gguf-model.ts'

const HOUR = 3_600_000

let llama: FakeLlama
let folder: string
beforeEach(() => {
  llama = fakeLlama('one two')
  folder = folderOf({
    'node_modules/node-llama-cpp/package.json': { version: '3.22.1', main: 'index.js' },
    'node_modules/node-llama-cpp/index.js': '',
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await unloadGguf()
})

function connect(options: Partial<GgufOptions> = {}): Promise<Model> {
  const path = join(folder, 'a.gguf')
  const entries = [['general.architecture', { type: 'text', value: 'llama' }]] as const
  writeFileSync(path, writeGguf({ entries }))
  return ggufModel({ path, runtimeFolder: folder, ...options }, llama.start)
}

/** A promise that stays pending until `open` is called. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

const replies: readonly (readonly [string, (model: Model) => Promise<string>])[] = [
  ['a reply', async (model) => textIn(await chunksOf(model))],
  [
    'a run',
    async (model) =>
      (await collect(run({ model, prompt: 'Hello', limits: { maxRetries: 0 } }))).text,
  ],
]

test.each(replies)('the time of %s starts when the model is loaded', async (_name, ask) => {
  const loading = gate()
  llama.load = () => loading.opened
  const asked = ask(await connect())
  await vi.waitFor(() => expect(llama.log).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(HOUR / 5)
  loading.open()
  expect(await asked).toBe('one two')
})

test.each(replies)(
  'the time of %s does not include the wait for another reply',
  async (_name, ask) => {
    const model = await connect()
    const limits = { timeout: 9 * HOUR, idleTimeout: 9 * HOUR }
    const first = model.reply(request(limits))[Symbol.asyncIterator]()
    await first.next()
    const asked = ask(model)
    await vi.advanceTimersByTimeAsync(HOUR)
    while (!(await first.next()).done);
    expect(await asked).toBe('one two')
  },
)

test('a question may stay open, and the signal ends the wait for its answer', async () => {
  const confirm = vi.fn(() => new Promise<boolean>(() => {}))
  const model = await connect({ confirm, runtimeFolder: join(folder, 'empty') })
  const controller = new AbortController()
  const ended = vi.fn()
  const asked = chunksOf(model, { signal: controller.signal }).catch(ended)
  await vi.waitFor(() => expect(confirm).toHaveBeenCalledOnce())
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(ended).not.toHaveBeenCalled()
  controller.abort(new Error('enough'))
  await asked
  expect(ended).toHaveBeenCalledWith(new Error('enough'))
})

test.each(replies)(
  'a model of %s that stops writing in the middle of its reply is stuck',
  async (_, ask) => {
    const step = gate()
    llama = fakeLlama('word '.repeat(100))
    let steps = 0
    // The prompt has been read, and some words have been written.
    llama.step = async () => (++steps > 100 ? step.opened : undefined)
    const failed = vi.fn()
    const asked = ask(await connect()).then(failed, failed)
    await vi.waitFor(() => expect(steps).toBe(101))
    await vi.advanceTimersByTimeAsync(HOUR)
    await asked
    expect(failed).toHaveBeenCalledOnce()
    step.open()
  },
)

test('loading without progress ends', async () => {
  llama.load = () => new Promise(() => {})
  const failed = vi.fn()
  const asked = chunksOf(await connect()).catch(failed)
  await vi.waitFor(() => expect(llama.log).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(HOUR)
  await asked
  expect(failed.mock.calls).toMatchObject([
    [
      {
        message: expect.stringMatching(
          /^a was not loaded, because there was no progress for 15 min/,
        ) as string,
      },
    ],
  ])
  expect(llama.log).toHaveLength(2)
})
