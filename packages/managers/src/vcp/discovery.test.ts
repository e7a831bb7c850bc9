import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetTools } from '../../test/vcp.ts'
import {
  createToolDiscoveryService,
  type MethodMetadata,
  resolveToolEnabled,
  SUPPORTED_PROTOCOLS,
  type ToolDefinitionInput,
  toolRegistryManager,
  type ToolRegistry,
  VcpToolCallingProtocol,
} from '../index.ts'

const now: MethodMetadata = { name: 'now', description: '现在几点', agentCallable: true }
const reset: MethodMetadata = { name: 'reset', agentCallable: false }
const listFiles: MethodMetadata = { name: 'listFiles', agentCallable: true }

let methods: readonly MethodMetadata[]
const clock: ToolRegistry = { id: 'clock', name: '时钟', getMetadata: () => ({ methods }) }
const tree: ToolRegistry = {
  id: 'directory-tree',
  getMetadata: () => ({ methods: [listFiles, { name: 'internal' }] }),
}

beforeEach(() => {
  methods = [now, reset]
  toolRegistryManager.register(clock)
  toolRegistryManager.register(tree)
})
afterEach(forgetTools)

describe('the registry of tools', () => {
  test('finds tools by id', () => {
    expect(toolRegistryManager.getTool('clock')).toBe(clock)
    expect(toolRegistryManager.getTool('toString')).toBeUndefined()
    expect(toolRegistryManager.getAllTools()).toEqual([clock, tree])
  })

  test('an id is unique until its tool is removed', () => {
    expect(() => toolRegistryManager.register({ id: 'clock' })).toThrow(
      /tool named clock already exists/,
    )
    expect(toolRegistryManager.unregister('clock')).toBe(true)
    expect(toolRegistryManager.unregister('clock')).toBe(false)
    toolRegistryManager.register(clock)
    expect(toolRegistryManager.getAllTools()).toEqual([tree, clock])
  })
})

describe('getDiscoveredMethods', () => {
  const service = createToolDiscoveryService()

  test('finds the methods that a model can call', () => {
    expect(service.getDiscoveredMethods()).toEqual([
      { toolId: 'clock', toolName: '时钟', methods: [now] },
      { toolId: 'directory-tree', toolName: 'directory-tree', methods: [listFiles] },
    ])
  })

  test('skips tools without a description', () => {
    toolRegistryManager.register({ id: 'silent', name: 'Silent' })
    toolRegistryManager.register({ id: 'empty', getMetadata: () => ({ methods: [reset] }) })
    expect(service.getDiscoveredMethods().map(({ toolId }) => toolId)).toEqual([
      'clock',
      'directory-tree',
    ])
  })

  test('only `true` makes a method callable', () => {
    const truthy = { name: 'truthy', agentCallable: 'true' } as unknown as MethodMetadata
    methods = [truthy]
    expect(service.getDiscoveredMethods().map(({ toolId }) => toolId)).toEqual(['directory-tree'])
  })

  test('accepts another filter', () => {
    const found = service.getDiscoveredMethods(
      ({ name }) => name === 'reset' || name === 'internal',
    )
    expect(found.map((each) => each.methods)).toEqual([[reset], [{ name: 'internal' }]])
  })
})

describe('resolveToolEnabled', () => {
  test.each([
    [{}, true],
    [{ defaultToolEnabled: true }, true],
    [{ defaultToolEnabled: false }, false],
    [{ defaultToolEnabled: false, toolToggles: { clock: true } }, true],
    [{ defaultToolEnabled: true, toolToggles: { clock: false } }, false],
    [{ defaultToolEnabled: false, toolToggles: { other: true } }, false],
    [{ defaultToolEnabled: true, toolToggles: { other: false } }, true],
  ])('%j: %s', (config, enabled) => {
    expect(resolveToolEnabled('clock', config)).toBe(enabled)
  })

  test('a tool named like an inherited property has the default', () => {
    expect(resolveToolEnabled('toString', { toolToggles: {}, defaultToolEnabled: false })).toBe(
      false,
    )
  })
})

describe('generatePrompt', () => {
  const config = { enabled: true }

  test.each([[false], [undefined]])('is empty if `enabled` is %s', (enabled) => {
    expect(createToolDiscoveryService().generatePrompt({ config: { enabled } })).toBe('')
  })

  test('describes the methods in the protocol', () => {
    const prompt = createToolDiscoveryService().generatePrompt({ config })
    expect(prompt).toContain('<<<[TOOL_DEFINITION]>>>')
    expect(prompt).toContain('clock_now')
    expect(prompt).toContain('directory-tree_listFiles')
    expect(prompt).not.toContain('clock_reset')
    const hermes = createToolDiscoveryService().generatePrompt({
      config: { enabled: true, protocol: 'hermes' },
    })
    expect(hermes).toContain('<tool_call>')
    expect(hermes).not.toContain('「始」')
  })

  test('toggles override the default', () => {
    const service = createToolDiscoveryService()
    const off = service.generatePrompt({ config: { ...config, toolToggles: { clock: false } } })
    expect(off).not.toContain('clock_now')
    expect(off).toContain('directory-tree_listFiles')
    const only = service.generatePrompt({
      config: { ...config, defaultToolEnabled: false, toolToggles: { clock: true } },
    })
    expect(only).toContain('clock_now')
    expect(only).not.toContain('directory-tree_listFiles')
    expect(service.generatePrompt({ config: { ...config, defaultToolEnabled: false } })).toBe('')
  })

  describe('the cache', () => {
    const vcp = new VcpToolCallingProtocol()
    const generate = vi.fn((input: readonly ToolDefinitionInput[]) =>
      vcp.generateToolDefinitions(input),
    )
    beforeEach(() => {
      generate.mockClear()
      SUPPORTED_PROTOCOLS.set('vcp', {
        id: 'vcp',
        generateToolDefinitions: generate,
        parseToolRequests: () => [],
        formatToolResults: () => '',
      })
    })

    test('creates one prompt for equal settings', () => {
      const service = createToolDiscoveryService()
      const one = { enabled: true, toolToggles: { a: true, b: false }, timeout: 5 }
      const other = structuredClone(one)
      expect(service.generatePrompt({ config: one, agentId: 'a' })).toBe(
        service.generatePrompt({ config: other, agentId: 'a' }),
      )
      expect(generate).toHaveBeenCalledTimes(1)
    })

    test('creates another prompt for another agent or configuration', () => {
      const service = createToolDiscoveryService()
      const without = { ...config, toolToggles: { clock: false } }
      for (const agentId of ['a', 'b'])
        for (const each of [config, without]) {
          service.generatePrompt({ config: each, agentId })
          service.generatePrompt({ config: each, agentId })
        }
      expect(generate).toHaveBeenCalledTimes(4)
    })

    test('is reset by registering or removing a tool', () => {
      const service = createToolDiscoveryService()
      const before = service.generatePrompt({ config })
      toolRegistryManager.register({ id: 'late', getMetadata: () => ({ methods: [now] }) })
      expect(service.generatePrompt({ config })).toContain('late_now')
      toolRegistryManager.unregister('late')
      expect(service.generatePrompt({ config })).toBe(before)
    })

    test('shows a changed description once invalidated', () => {
      const service = createToolDiscoveryService()
      const before = service.generatePrompt({ config })
      methods = [{ ...now, name: 'today' }]
      expect(service.generatePrompt({ config })).toBe(before)
      service.invalidateCache()
      expect(service.generatePrompt({ config })).toContain('clock_today')
    })
  })
})
