import { protocols } from '@toolglot/core'
import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import type { ApprovalQuestion } from '../tool/require-permission.ts'
import { tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'
import type { ToolCallConfig } from './tool-call-config.ts'

const made = (name: string, access?: object) =>
  tool({
    name,
    description: name,
    parameters: { type: 'object' },
    ...(access && { access }),
    execute: () => `${name} ran`,
  })

function registryWith(config: ToolCallConfig) {
  const registry = createRegistry(
    [made('send'), made('save', { writes: 'path' }), made('Bash'), made('mcp__mail__send')],
    config,
  )
  registry.addToolkit({
    id: 'kit',
    methods: ['one', 'two'].map((name) => ({ name, agentCallable: true })),
    execute: (method) => method,
  })
  return registry
}

const names = (config: ToolCallConfig) => [...registryWith(config).tools.keys()]
const all = ['send', 'save', 'Bash', 'mcp__mail__send', 'kit_one', 'kit_two']

test('enabled, defaultToolEnabled and toolToggles enable tools', () => {
  expect(names({})).toEqual(all)
  expect(names({ enabled: false, toolToggles: { send: true } })).toEqual([])
  expect(names({ defaultToolEnabled: false })).toEqual([])
  expect(names({ defaultToolEnabled: false, toolToggles: { send: true, kit: true } })).toEqual([
    'send',
    'kit_one',
    'kit_two',
  ])
  expect(names({ toolToggles: { kit: false, kit_two: true, bash: false } })).toEqual([
    'send',
    'save',
    'mcp__mail__send',
    'kit_two',
  ])
})

async function runs(config: ToolCallConfig, name: string, args = {}): Promise<boolean> {
  const outcome = await executeWith(registryWith(config), { name, args })
  return outcome.status === 'success'
}

test('mode: auto allows custom tools, but not paths, shells or servers', async () => {
  expect(await runs({}, 'send')).toBe(false)
  expect(await runs({ mode: 'manual' }, 'send')).toBe(false)
  expect(await runs({ mode: 'auto' }, 'send')).toBe(true)
  expect(await runs({ mode: 'auto' }, 'kit_one')).toBe(true)
  expect(await runs({ mode: 'auto' }, 'save', { path: '/etc/passwd' })).toBe(false)
  expect(await runs({ mode: 'auto' }, 'Bash', { command: 'rm -rf /' })).toBe(false)
  expect(await runs({ mode: 'auto' }, 'mcp__mail__send')).toBe(false)
})

test('requireConfirmation requires approval even for allowed calls', async () => {
  const registry = registryWith({ mode: 'auto', requireConfirmation: true })
  const asked: string[] = []
  const approve = async ({ call }: ApprovalQuestion) => {
    asked.push(call.name)
    return { verdict: 'allow' } as const
  }
  await executeWith(registry, { name: 'send', args: {} }, { approve })
  await executeWith(registry, { name: 'kit_one', args: {} }, { approve, allow: ['kit_one'] })
  expect(asked).toEqual(['send', 'kit_one'])
  expect(messageOf(await executeWith(registry, { name: 'send', args: {} }))).toContain(
    'nobody to ask',
  )
})

test('a call denied by a rule stays denied', async () => {
  const source = { scope: 'user' } as const
  const rules = [{ verdict: 'deny', text: 'send', tool: 'send', source }] as const
  const registry = registryWith({ mode: 'auto' })
  expect(
    await executeWith(registry, { name: 'send', args: {} }, { permissions: { rules } }),
  ).toMatchObject({ failure: { details: { code: 'denied_by_rule' } } })
})

test('sets limits, order and protocol', () => {
  expect(registryWith({}).resolved).toMatchObject({
    limits: {},
    parallel: true,
    protocol: undefined,
  })
  const { resolved } = registryWith({
    maxIterations: 5,
    timeout: 30_000,
    parallelExecution: false,
    protocol: 'vcp',
  })
  expect(resolved).toMatchObject({
    limits: { maxIterations: 5, toolTimeout: 30_000 },
    parallel: false,
  })
  expect(resolved.protocol).toBe(protocols['vcp'])
  const own = { ...protocols['vcp']!, id: 'mine' }
  expect(registryWith({ protocol: own }).resolved.protocol).toBe(own)
})

test.each([
  [{ enable: true }, 'Unknown key "enable" in the tool configuration. Did you mean enabled?'],
  [{ xyzzy: 1 }, 'Known keys: enabled, mode,'],
  [JSON.parse('{ "__proto__": {} }') as object, 'Unknown key "__proto__"'],
  [{ mode: 'yolo' }, 'mode must be "auto" or "manual", not "yolo".'],
  [{ toolToggles: { a: 'no' } }, 'toolToggles must be an object with true or false by name'],
  [{ maxIterations: 0 }, 'maxIterations must be a positive whole number, not 0.'],
  [{ timeout: Infinity }, 'timeout must be a positive number of milliseconds'],
  [{ timeout: '30' }, 'not "30"'],
  [{ protocol: 'vpc' }, 'Unknown protocol "vpc". Did you mean vcp?'],
  [{ presets: { a: 1 } }, 'presets must be'],
  [null, 'The tool configuration must be an object, not null.'],
  [{ tools: 'Read' }, 'tools must be a list of names of tools, not "Read".'],
  [{ tools: [7] }, 'tools must be a list of names of tools.'],
])('rejects %j without changing anything', (config, message) => {
  const registry = registryWith({})
  const before = registry.revision
  expect(() => registry.configure(config as ToolCallConfig)).toThrow(message)
  expect(registry.revision).toBe(before)
})

test('configure() keeps the settings it does not change', () => {
  const registry = registryWith({ timeout: 10, toolToggles: { send: false } })
  registry.configure({ maxIterations: 2 })
  expect(registry.resolved.limits).toEqual({ maxIterations: 2, toolTimeout: 10 })
  expect(registry.find('send')).toBe(undefined)
  registry.configure({ timeout: undefined })
  expect(registry.resolved.limits).toEqual({ maxIterations: 2 })
})

test('reports unknown names in the configuration', () => {
  const registry = registryWith({
    toolToggles: { Bsh: false, kit: true, bash: true },
    presets: { sned: {} },
  })
  expect(registry.notes()).toEqual([
    'toolToggles contains "Bsh", which does not exist. Did you mean Bash?',
    'presets contains "sned", which does not exist. Did you mean send?',
  ])
  registry.add(made('Bsh'))
  expect(registry.notes()).toHaveLength(1)
})
