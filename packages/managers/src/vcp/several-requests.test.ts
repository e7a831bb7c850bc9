import { afterEach, beforeEach, expect, test } from 'vitest'
import { executeToolRequests, type ParsedToolRequest, toolRegistryManager } from '../index.ts'

const log: string[] = []
let both: PromiseWithResolvers<void>
let running: number
beforeEach(() => {
  log.length = 0
  running = 0
  both = withResolvers()
  const step = (name: string) => (): string => {
    log.push(name)
    return name
  }
  const meet = (name: string) => async (): Promise<string> => {
    if (++running === 2) both.resolve()
    await both.promise
    return name
  }
  toolRegistryManager.register({
    id: 'steps',
    getMetadata: () => ({
      methods: ['one', 'two', 'left', 'right', 'fail'].map((name) => ({
        name,
        agentCallable: true,
      })),
    }),
    ...{ one: step('one'), two: step('two'), left: meet('left'), right: meet('right') },
    ...{ fail: () => Promise.reject(new Error('no')) },
  })
})
afterEach(() => void toolRegistryManager.unregister('steps'))

const requests = (...names: readonly string[]): readonly ParsedToolRequest[] =>
  names.map((name) => ({ requestId: name, toolName: `steps_${name}`, rawBlock: '', args: {} }))

test('runs several requests one by one', async () => {
  const onBeforeExecute = ({ toolName }: ParsedToolRequest): boolean => {
    log.push(`ask ${toolName}`)
    return true
  }
  const config = { requireConfirmation: true }
  const results = await executeToolRequests(requests('two', 'fail', 'one'), {
    config,
    onBeforeExecute,
  })
  expect(results.map(({ status, result }) => [status, result])).toEqual([
    ['success', 'two'],
    ['error', 'no'],
    ['success', 'one'],
  ])
  expect(log).toEqual(['ask steps_two', 'two', 'ask steps_fail', 'ask steps_one', 'one'])
})

test('concurrently, with the results in the order of the requests', async () => {
  const config = { parallelExecution: true }
  // Each method waits for the other one.
  const results = await executeToolRequests(requests('left', 'fail', 'right'), { config })
  expect(results.map(({ result }) => result)).toEqual(['left', 'no', 'right'])
})

test('concurrently, a person is asked about one at a time', async () => {
  const config = { parallelExecution: true, requireConfirmation: true }
  let asked = 0
  let most = 0
  const results = await executeToolRequests(requests('left', 'two', 'one', 'right'), {
    config,
    async onBeforeExecute({ toolName }) {
      most = Math.max(most, ++asked)
      await Promise.resolve()
      log.push(`ask ${toolName}`)
      asked--
      if (toolName === 'steps_two') throw new Error('closed')
      return toolName !== 'steps_one'
    },
  })
  expect(most).toBe(1)
  expect(log).toEqual(['ask steps_left', 'ask steps_two', 'ask steps_one', 'ask steps_right'])
  expect(results.map(({ result }) => result)).toEqual(['left', 'closed', '用户未授权', 'right'])
})

test('accepts an empty list of requests', async () => {
  expect(await executeToolRequests([])).toEqual([])
})

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

function withResolvers(): PromiseWithResolvers<void> {
  let resolve!: () => void
  const promise = new Promise<void>((each) => (resolve = each))
  return { promise, resolve }
}
