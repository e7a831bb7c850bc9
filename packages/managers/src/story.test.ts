// Start here: using this package in a program written for manager classes. The model is scripted.
import { afterEach, expect, test } from 'vitest'
import { forgetTools, listRequest } from '../test/vcp.ts'
import { scripted, writtenCall } from '../test/scripted.ts'
import {
  ContextManager,
  PTKManager,
  PTKParser,
  type PTKTool,
  ToolManager,
  toolRegistryManager,
  useToolCalling,
} from './index.ts'

afterEach(forgetTools)

const getTime: PTKTool = {
  name: 'get_time',
  description: 'Get the current time',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
  readOnly: true,
  handler: async ({ zone = 'UTC' }: { zone?: string }) => `12:00 ${zone}`,
}

test('I register a tool, and the manager runs it until the model answers', async () => {
  const toolManager = new ToolManager()
  toolManager.registerTool(getTime)
  const llmManager = scripted(writtenCall('get_time', { zone: 'UTC' }), 'It is noon.')
  const manager = new PTKManager(llmManager, toolManager)
  const result = await manager.execute('What time is it?', { tools: ['get_time'] })
  expect(result).toMatchObject({ success: true, content: 'It is noon.' })
  expect(llmManager.call.mock.calls[0]![0]).toContain('Get the current time')
  expect(llmManager.call.mock.calls[1]![0]).toContain('12:00 UTC')
})

test('A conversation is stored between executions', async () => {
  const llmManager = scripted('Hello, Ann.', 'You are Ann.')
  const contextManager = new ContextManager()
  const manager = new PTKManager(llmManager, new ToolManager(), contextManager)
  await manager.execute('I am Ann.')
  await manager.execute('Who am I?')
  expect(llmManager.call.mock.calls[1]![0]).toContain('I am Ann.')
  expect(contextManager.getHistory().map(({ content }) => content)).toEqual([
    'I am Ann.',
    'Hello, Ann.',
    'Who am I?',
    'You are Ann.',
  ])
})

test('I parse a reply myself, and it is text or a call', () => {
  const parser = new PTKParser()
  expect(parser.parse('It is noon.')).toMatchObject({ type: 'text', content: 'It is noon.' })
  expect(parser.parse(writtenCall('get_time'))).toMatchObject({
    type: 'tool_call',
    toolCall: { tool: 'get_time', args: {} },
  })
})

test('A chat lets a model call those methods of my objects that I allow', async () => {
  const listFiles = { name: 'listFiles', description: 'List files', agentCallable: true }
  toolRegistryManager.register({
    id: 'directory-tree',
    getMetadata: () => ({
      methods: [{ ...listFiles, parameters: [] }, { name: 'deleteAll' }],
    }),
    ...{ listFiles: () => 'a.ts', deleteAll: () => 'deleted' },
  })
  const { generateToolsPrompt, processCycle, formatCycleResults } = useToolCalling()
  const prompt = generateToolsPrompt({ enabled: true })
  expect(prompt).toContain('List files')
  expect(prompt).not.toContain('deleteAll')
  const { executionResults } = await processCycle(listRequest, { enabled: true })
  expect(executionResults).toMatchObject([{ status: 'success', result: 'a.ts' }])
  expect(formatCycleResults(executionResults)).toContain('a.ts')
  const deleting = listRequest.replace('listFiles', 'deleteAll')
  const refused = await processCycle(deleting, { enabled: true })
  expect(refused.executionResults).toMatchObject([{ status: 'error' }])
})
