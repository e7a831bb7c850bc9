import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forgetTools, listRequest as request } from '../../test/vcp.ts'
import {
  formatResultsForContext,
  processToolCallCycle,
  SUPPORTED_PROTOCOLS,
  type ToolCallConfig,
  type ToolCallCycleResult,
  type ToolCallingProtocol,
  type ToolCallNode,
  toolRegistryManager,
  toToolCallNodes,
  useToolCalling,
  VcpToolCallingProtocol,
} from '../index.ts'

const files = { 'src/tools': 'a.ts\nb.ts' }

beforeEach(() => {
  toolRegistryManager.register({
    id: 'directory-tree',
    name: '目录树',
    getMetadata: () => ({
      methods: [
        {
          name: 'listFiles',
          description: '列出文件',
          agentCallable: true,
          parameters: [{ name: 'path', type: 'string', required: true }],
        },
        { name: 'deleteAll' },
      ],
    }),
    ...{
      listFiles: ({ path }: Record<string, string>) => files[path as 'src/tools'],
      deleteAll: () => 'deleted',
    },
  })
})
afterEach(forgetTools)

const malformed = '<<<[TOOL_REQUEST]>>>\nlist the files\n<<<[END_TOOL_REQUEST]>>>'
const config: ToolCallConfig = { enabled: true }

describe('processToolCallCycle', () => {
  test('reads the requests and executes them', async () => {
    const { hasToolRequests, parsedRequests, executionResults } = await processToolCallCycle(
      `我来看看。\n${request}`,
      { config },
    )
    expect(hasToolRequests).toBe(true)
    expect(parsedRequests).toMatchObject([
      {
        toolName: 'directory-tree_listFiles',
        args: { path: 'src/tools', recursive: 'false' },
        rawBlock: request,
      },
    ])
    expect(executionResults).toEqual([
      {
        requestId: parsedRequests[0]!.requestId,
        toolName: 'directory-tree_listFiles',
        status: 'success',
        result: 'a.ts\nb.ts',
        durationMs: expect.any(Number),
      },
    ])
  })

  test('runs no tool without requests', async () => {
    const nothing = { hasToolRequests: false, parsedRequests: [], executionResults: [] }
    expect(await processToolCallCycle('目录中有两个文件。')).toEqual(nothing)
    const throwing: ToolCallingProtocol = Object.assign(new VcpToolCallingProtocol(), {
      parseToolRequests() {
        throw new Error('Cannot read this.')
      },
    })
    expect(await processToolCallCycle(request, { protocol: throwing })).toEqual(nothing)
  })

  test('a malformed block is a request, and its result explains the problem', async () => {
    const cycle = await processToolCallCycle(`${malformed}\n${request}`, { config })
    expect(cycle.parsedRequests.map(({ toolName }) => toolName)).toEqual([
      '',
      'directory-tree_listFiles',
    ])
    expect(cycle.executionResults.map(({ status }) => status)).toEqual(['error', 'success'])
    expect(cycle.executionResults[0]!.result).toMatch(/^无效格式/)
    expect(formatResultsForContext(cycle.executionResults)).toContain('无效格式')
  })

  test('uses the configured protocol unless another is given', async () => {
    const text =
      '<tool_call>{"name": "directory-tree_listFiles", "arguments": {"path": "src/tools"}}</tool_call>'
    const hermes = { config: { ...config, protocol: 'hermes' as const } }
    const { executionResults } = await processToolCallCycle(text, hermes)
    expect(executionResults).toMatchObject([{ status: 'success', result: 'a.ts\nb.ts' }])
    const vcp = await processToolCallCycle(text, { ...hermes, protocol: 'vcp' })
    expect(vcp.hasToolRequests).toBe(false)
  })
})

describe('useToolCalling', () => {
  const {
    processCycle,
    formatCycleResults,
    generateToolsPrompt,
    getDiscoveredMethods,
    invalidateDiscoveryCache,
    hasToolCallingEnabled,
  } = useToolCalling()

  test('processCycle does nothing if tools are disabled', async () => {
    expect((await processCycle(request, config)).executionResults).toHaveLength(1)
    for (const off of [{}, { enabled: false }])
      expect(await processCycle(request, off)).toEqual({
        hasToolRequests: false,
        parsedRequests: [],
        executionResults: [],
      })
  })

  test('processCycle asks before it executes', async () => {
    const careful = { ...config, requireConfirmation: true }
    const asked: string[] = []
    const allowed = await processCycle(request, careful, ({ toolName }) => {
      asked.push(toolName)
      return true
    })
    expect(asked).toEqual(['directory-tree_listFiles'])
    expect(allowed.executionResults[0]!.status).toBe('success')
    const refused = await processCycle(request, careful, () => false)
    expect(refused.executionResults[0]).toMatchObject({ status: 'error', result: '用户未授权' })
  })

  test('formatCycleResults prints in a given protocol', async () => {
    const { executionResults } = await processCycle(request, config)
    expect(formatCycleResults(executionResults)).toContain('<<<[TOOL_RESULT]>>>')
    expect(formatCycleResults(executionResults, 'hermes')).toContain('<tool_response>')
  })

  test('generateToolsPrompt depends on the configuration, and callers share its cache', () => {
    expect(generateToolsPrompt(config)).toContain('directory-tree_listFiles')
    expect(generateToolsPrompt(config, 'agent-1')).not.toContain('deleteAll')
    expect(generateToolsPrompt({ enabled: false })).toBe('')
    expect(useToolCalling().generateToolsPrompt(config)).toBe(generateToolsPrompt(config))
  })

  test('getDiscoveredMethods works with and without a filter', () => {
    const names = (found: ReturnType<typeof getDiscoveredMethods>): readonly string[] =>
      found.flatMap(({ methods }) => methods.map(({ name }) => name))
    expect(names(getDiscoveredMethods())).toEqual(['listFiles'])
    expect(names(getDiscoveredMethods(() => true))).toEqual(['listFiles', 'deleteAll'])
  })

  test('invalidateDiscoveryCache shows changed descriptions', () => {
    let name = 'early'
    toolRegistryManager.register({
      id: 'changing',
      getMetadata: () => ({ methods: [{ name, agentCallable: true }] }),
    })
    expect(generateToolsPrompt(config)).toContain('changing_early')
    name = 'late'
    expect(generateToolsPrompt(config)).toContain('changing_early')
    invalidateDiscoveryCache()
    expect(generateToolsPrompt(config)).toContain('changing_late')
  })

  test.each([
    [{ enabled: true }, true],
    [{ enabled: false }, false],
    [{}, false],
    [undefined, false],
  ])('hasToolCallingEnabled(%j): %s', (given, enabled) => {
    expect(hasToolCallingEnabled(given)).toBe(enabled)
  })
})

describe('the loop of a chat', () => {
  type Node = { readonly role: string; readonly content: string } & Partial<
    Pick<ToolCallNode, 'metadata'>
  >

  /** Sends the results to the model until a reply has no requests or the limit is reached. */
  async function chat(
    prompt: string,
    agent: { readonly id: string; readonly toolCallConfig: ToolCallConfig },
    llm: (context: readonly Node[]) => Promise<string>,
  ): Promise<readonly Node[]> {
    const { generateToolsPrompt, processCycle } = useToolCalling()
    const { maxIterations = 20, protocol } = agent.toolCallConfig
    const tools = generateToolsPrompt(agent.toolCallConfig, agent.id)
    const nodes: Node[] = [
      { role: 'system', content: `你是助手。\n${tools}` },
      { role: 'user', content: prompt },
    ]
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      const assistantText = await llm(nodes)
      const cycle: ToolCallCycleResult = await processCycle(assistantText, agent.toolCallConfig)
      nodes.push(...toToolCallNodes(assistantText, cycle, protocol as string | undefined))
      if (!cycle.hasToolRequests) break
    }
    return nodes
  }

  const scripted = (...replies: readonly string[]) => {
    const seen: string[] = []
    const llm = async (context: readonly Node[]): Promise<string> => {
      seen.push(context.map(({ content }) => content).join('\n'))
      return replies[Math.min(seen.length, replies.length) - 1]!
    }
    return { llm, seen }
  }

  test('continues until there are no requests', async () => {
    const { llm, seen } = scripted(request, '有两个文件：a.ts 和 b.ts。')
    const agent = { id: 'agent-1', toolCallConfig: config }
    const nodes = await chat('src/tools 里有什么？', agent, llm)
    expect(seen).toHaveLength(2)
    expect(seen[0]).toContain('directory-tree_listFiles')
    expect(seen[1]).toContain('result:「始」a.ts\nb.ts「末」')
    expect(nodes.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
    expect(nodes[2]!.metadata!.toolCallsRequested).toMatchObject([
      { toolName: 'directory-tree_listFiles', rawBlock: request },
    ])
    expect(nodes[3]!.metadata!.toolCall).toMatchObject({ status: 'success', result: 'a.ts\nb.ts' })
    expect(nodes[4]!.metadata).toEqual({})
  })

  test('continues for at most maxIterations', async () => {
    const { llm, seen } = scripted(request)
    const agent = { id: 'agent-1', toolCallConfig: { ...config, maxIterations: 3 } }
    const nodes = await chat('src/tools 里有什么？', agent, llm)
    expect(seen).toHaveLength(3)
    expect(nodes.filter(({ metadata }) => metadata?.toolCall)).toHaveLength(3)
  })

  test('each agent has its own configuration', async () => {
    const off = { id: 'reader', toolCallConfig: { enabled: false } }
    const { llm, seen } = scripted(request)
    const nodes = await chat('src/tools 里有什么？', off, llm)
    expect(seen).toHaveLength(1)
    expect(seen[0]).not.toContain('listFiles')
    expect(nodes.at(-1)!.metadata).toEqual({})
    const without = {
      id: 'writer',
      toolCallConfig: { enabled: true, toolToggles: { 'directory-tree': false } },
    }
    const tried = scripted(request, '好的。')
    const refused = await chat('src/tools 里有什么？', without, tried.llm)
    expect(tried.seen[0]).not.toContain('listFiles')
    expect(refused[3]!.metadata!.toolCall!.result).toMatch(/^方法不可调用/)
  })

  test('works in another protocol', async () => {
    const call = '{"name": "directory-tree_listFiles", "arguments": {"path": "src/tools"}}'
    const { llm, seen } = scripted(`<tool_call>${call}</tool_call>`, '两个。')
    const toolCallConfig: ToolCallConfig = { enabled: true, protocol: 'hermes' }
    const nodes = await chat('src/tools 里有什么？', { id: 'h', toolCallConfig }, llm)
    expect(seen[1]).toMatch(/<tool_response>[\s\S]*a\.ts/)
    expect(nodes.at(-1)!.content).toBe('两个。')
  })

  test('works in a custom protocol, by its id', async () => {
    SUPPORTED_PROTOCOLS.set('shout', {
      id: 'shout',
      generateToolDefinitions: (input) => `TOOLS ${input.map(({ toolId }) => toolId).join()}`,
      parseToolRequests: (text) =>
        [...text.matchAll(/CALL (\S+) (\S+)/g)].map(([rawBlock, toolName, path]) => ({
          requestId: '1',
          toolName: toolName!,
          rawBlock,
          args: { path: path! },
        })),
      formatToolResults: (results) => results.map(({ result }) => `GOT ${result}`).join('\n'),
    })
    const { llm, seen } = scripted('CALL directory-tree_listFiles src/tools', 'Two.')
    const toolCallConfig: ToolCallConfig = { enabled: true, protocol: 'shout' }
    await chat('src/tools 里有什么？', { id: 's', toolCallConfig }, llm)
    expect(seen[0]).toContain('TOOLS directory-tree')
    expect(seen[1]).toContain('GOT a.ts\nb.ts')
  })
})
