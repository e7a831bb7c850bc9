import type { AnyTool } from '@toolglot/agent'
import { expect, test, vi } from 'vitest'
import type { Unset } from '../../../tests/helpers/unset.ts'
import { scripted, writtenCall } from '../test/scripted.ts'
import {
  LLMManager,
  type LLMManagerOptions,
  PTKManager,
  type PTKExecuteOptions,
  type PTKManagerConfig,
  ToolManager,
  type ToolManagerOptions,
} from './index.ts'

const ofTools: Unset<ToolManagerOptions> = {
  ...{ askUserConfirmation: undefined, fileSystem: undefined, permissions: undefined },
  ...{ approve: undefined, remember: undefined, ask: undefined, limits: undefined },
}
const config: Unset<Partial<PTKManagerConfig>> = {
  ...{ defaultMaxIterations: undefined, defaultTimeout: undefined, enableLogging: undefined },
  ...{ retryFailedTools: undefined, maxToolRetries: undefined },
}
const ofExecution: Unset<PTKExecuteOptions> = {
  ...{ tools: undefined, maxIterations: undefined, maxToolCalls: undefined, timeout: undefined },
  ...{ onIteration: undefined, onToolCall: undefined, onError: undefined, model: undefined },
  ...{ onDuplicateDetected: undefined, temperature: undefined, detectDuplicates: undefined },
  ...{ duplicateWindow: undefined, onMalformed: undefined, signal: undefined },
}
const ofModel: Unset<LLMManagerOptions> = {
  ...{ toolManager: undefined, system: undefined, protocol: undefined },
}

function toolManagerOf(options: ToolManagerOptions = {}): ToolManager {
  const toolManager = new ToolManager(options)
  const parameters = { type: 'object', properties: {} } as const
  toolManager.registerTool({ name: 'now', description: '', parameters, handler: () => 'noon' })
  return toolManager
}

test('undefined options of an execution are treated as missing', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const resultOf = async (
    given: Partial<PTKManagerConfig>,
    options: PTKExecuteOptions,
    ofManager: ToolManagerOptions,
  ) => {
    const model = scripted(
      ...Array.from({ length: 7 }, (_, at) => writtenCall('now', { at })),
      'Done.',
    )
    const manager = new PTKManager(model, toolManagerOf(ofManager), undefined, given)
    const result = await manager.execute('Go', options)
    return { ...result, logged: log.mock.calls.splice(0).length > 0 }
  }
  const usual = await resultOf({}, {}, {})
  const plain = (result: object): unknown =>
    JSON.parse(JSON.stringify(result), (key, value: unknown) =>
      /duration|time|id$/i.test(key) ? undefined : value,
    )
  expect(plain(await resultOf(config as object, ofExecution, ofTools))).toEqual(plain(usual))
  expect(usual).toMatchObject({ iterations: 5, logged: true })
  log.mockRestore()
})

test('undefined options of a model manager are treated as missing', async () => {
  const model = {
    name: 'scripted',
    async *reply() {
      yield { type: 'text', delta: 'Hi' } as const
      yield { type: 'finish', finish: 'stop' } as const
    },
  }
  const unset = { model: undefined, temperature: undefined, signal: undefined }
  expect(await new LLMManager(model, ofModel).call('Go', unset)).toBe('Hi')
})

test('a tool with an undefined handler uses execute()', async () => {
  const toolManager = new ToolManager()
  const now = { name: 'now', description: '', parameters: { type: 'object' }, access: {} }
  toolManager.registerTool({ ...now, execute: async () => 'noon', handler: undefined } as AnyTool)
  expect(await toolManager.execute('now', {})).toBe('noon')
})
