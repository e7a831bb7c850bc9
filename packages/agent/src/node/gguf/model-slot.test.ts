import { expect, test, vi } from 'vitest'
import { type FakeLlama, fakeLlama } from '../../../test/fake-llama.ts'
import { LlamaFailure } from './llama/llama-process.ts'
import { type LoadOptions, ModelSlot } from './model-slot.ts'

const { signal } = new AbortController()

function setUp(idleTime = 60_000): {
  readonly llama: FakeLlama
  readonly slot: ModelSlot
  readonly options: (path: string) => LoadOptions
} {
  const llama = fakeLlama()
  const options = (path: string): LoadOptions => ({
    path,
    name: path,
    contextTokens: 512,
    threads: undefined,
    gpu: 'auto',
    library: async () => 'file:///nowhere',
    start: llama.start,
  })
  return { llama, slot: new ModelSlot(idleTime), options }
}

test('a model is loaded once, and another one replaces it', async () => {
  const { llama, slot, options } = setUp()
  for (const path of ['a', 'a', 'b', 'a']) (await slot.use(path, options(path), signal)).end()
  await slot.clear()
  expect(llama.log).toEqual(['load a', 'end a', 'load b', 'end b', 'load a', 'end a'])
})

test("callers take turns in order, each after the previous one's work has ended", async () => {
  const { slot, options } = setUp()
  const order: number[] = []
  const first = await slot.use('a', options('a'), signal)
  const others = [1, 2, 3].map(async (each) => {
    const { end } = await slot.use('a', options('a'), signal)
    order.push(each)
    end()
  })
  let finish = (): void => {}
  first.end(new Promise<void>((resolve) => (finish = resolve)))
  await new Promise(setImmediate)
  expect(order).toEqual([])
  finish()
  await Promise.all(others)
  expect(order).toEqual([1, 2, 3])
})

test('a caller that stops waiting is skipped', async () => {
  const { slot, options } = setUp()
  const { end } = await slot.use('a', options('a'), signal)
  const controller = new AbortController()
  const waiting = slot.use('a', options('a'), controller.signal)
  const after = slot.use('a', options('a'), signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  end()
  ;(await after).end()
})

test('abandoned loading ends immediately', async () => {
  const { llama, slot, options } = setUp()
  llama.load = () => new Promise(() => {})
  const controller = new AbortController()
  const loading = slot.use('a', options('a'), controller.signal)
  await vi.waitFor(() => expect(llama.log).toEqual(['load a']))
  controller.abort(new Error('enough'))
  await expect(loading).rejects.toThrow('enough')
  llama.load = async () => {}
  ;(await slot.use('b', options('b'), signal)).end()
  expect(llama.log).toEqual(['load a', 'end a', 'load b'])
})

test('a process that has ended is replaced', async () => {
  const { llama, slot, options } = setUp()
  const { loaded, end } = await slot.use('a', options('a'), signal)
  loaded.process.end()
  end()
  expect(slot.peek('a')).toBeUndefined()
  ;(await slot.use('a', options('a'), signal)).end()
  expect(llama.log).toEqual(['load a', 'end a', 'load a'])
})

test('after a failed load, the next caller tries again', async () => {
  const { llama, slot, options } = setUp()
  llama.load = () => Promise.reject(new LlamaFailure('Error', '\u001b[31mno\nsuch tensor'))
  await expect(slot.use('a', options('a'), signal)).rejects.toThrow(
    /llama\.cpp cannot load a \(�\[31mno\)/,
  )
  llama.load = async () => {}
  ;(await slot.use('a', options('a'), signal)).end()
})

test('reports too little memory', async () => {
  const { llama, slot, options } = setUp()
  llama.load = () => Promise.reject(new LlamaFailure('InsufficientMemoryError', ''))
  await expect(slot.use('a', options('a'), signal)).rejects.toThrow(
    /needs more memory than is available/,
  )
})

test('an unused model is unloaded', async () => {
  const { llama, slot, options } = setUp(1)
  ;(await slot.use('a', options('a'), signal)).end()
  await vi.waitFor(() => expect(llama.log).toEqual(['load a', 'end a']))
})
