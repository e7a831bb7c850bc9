import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LlamaProcess, type LoadRequest, startLlamaProcess } from './llama-process.ts'

const request: LoadRequest = {
  library: new URL('../../../../test/fixtures/fake-llama.mjs', import.meta.url).href,
  path: 'good',
  gpu: 'auto',
  contextTokens: 1000,
  threads: undefined,
  batch: 8,
}
const sampling = { temperature: 0, topP: 1, topK: 1, minP: 0, seed: 1 }

let llama: LlamaProcess
beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', 'secret')
  llama = startLlamaProcess()
})
afterEach(() => {
  vi.unstubAllEnvs()
  llama.end()
})

async function reply(): Promise<string> {
  let text = ''
  for (;;) {
    const next = await llama.next({ pending: [], before: [] })
    if (!next || next.isEnd) return text
    text += next.text
  }
}

test('loads with progress, reads, writes, and gets no keys', async () => {
  const progress: number[] = []
  expect(await llama.load(request, (percent) => progress.push(percent))).toEqual({
    contextSize: 100,
  })
  expect(progress).toEqual([50, 100])
  expect(await llama.tokenize('ab', true)).toEqual([1, 97, 98])
  expect(await llama.tokenize('ab', false)).toEqual([97, 98])
  expect(await llama.adapt([])).toBe(0)
  await llama.read([1, 97])
  expect(await llama.adapt([])).toBe(2)
  await llama.start({ token: 98, sampling, grammar: undefined })
  expect(await reply()).toBe('Hi')
  await llama.stop()
  expect(await llama.next({ pending: [], before: [] })).toBeUndefined()
})

test('reports an unreadable grammar', async () => {
  await llama.load(request, () => {})
  const starting = llama.start({ token: 1, sampling, grammar: { text: '(' } })
  await expect(starting).rejects.toMatchObject({ kind: 'BadGrammar' })
  await llama.start({ token: 1, sampling, grammar: { text: 'root ::= "a"' } })
  expect(await reply()).toBe('Hi')
})

describe('a file', () => {
  const load = (path: string): Promise<unknown> => llama.load({ ...request, path }, () => {})

  test('that is damaged: the first reported problem is the reason', async () => {
    await expect(load('damaged')).rejects.toThrow('tensor data is not within the file')
    expect(llama.hasEnded).toBe(false)
  })

  test('that is too large is reported', async () => {
    await expect(load('memory')).rejects.toMatchObject({ kind: 'InsufficientMemoryError' })
  })

  test('that crashes the process is reported', async () => {
    const message = /(SIGABRT|exit code \d+): GGML_ASSERT failed/
    await expect(load('crash')).rejects.toMatchObject({
      kind: 'ended',
      message: expect.stringMatching(message) as string,
    })
    expect(llama.hasEnded).toBe(true)
    await expect(llama.tokenize('a', false)).rejects.toThrow(message)
  })

  test('that makes the process hang can be ended', async () => {
    const loading = load('hang')
    llama.end()
    await expect(loading).rejects.toMatchObject({ kind: 'ended' })
  })
})

test('ends with the process that started it', async () => {
  const worker = fileURLToPath(new URL('../../../../workers/llama.js', import.meta.url))
  const script = `console.log(require('child_process').fork(${JSON.stringify(worker)}).pid); setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const isAlive = (): boolean => {
    try {
      return process.kill(Number(line.toString()), 0)
    } catch {
      return false // No such process.
    }
  }
  expect(isAlive()).toBe(true)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive()).toBe(false), { timeout: 30_000 })
})

test('reports a missing library', async () => {
  const library = 'file:///nowhere/index.js'
  await expect(llama.load({ ...request, library }, () => {})).rejects.toThrow(/Cannot find module/)
})
