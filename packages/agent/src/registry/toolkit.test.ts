import { parse, protocols } from '@toolglot/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { collect } from '../run/run-result.ts'
import { run } from '../run/run.ts'
import { scriptedModel } from '../testing.ts'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { createRegistry } from './create-registry.ts'
import { type Method, type Toolkit, toToolkit } from './toolkit.ts'

const vcp = protocols['vcp']!

function directory(): Toolkit & { readonly ran: unknown[] } {
  const ran: unknown[] = []
  return {
    ran,
    id: 'directory-tree',
    name: 'Directory tree',
    methods: [
      {
        name: 'listFiles',
        description: 'Lists files',
        parameters: [
          { name: 'path', type: 'string', required: true, description: 'Where' },
          { name: 'recursive', type: 'boolean', default: false },
          { name: 'depth', type: 'int' },
          { name: 'skip', type: 'string[]' },
        ],
        agentCallable: true,
        readOnly: true,
        protocolConfig: { vcpCommand: 'ListFiles2' },
      },
      {
        name: 'count_all',
        parameters: z.strictObject({ path: z.string() }),
        agentCallable: true,
        execute: ({ path }) => `counted ${String(path)}`,
      },
      { name: 'destroy' },
      { name: 'hidden', agentCallable: false },
      { name: 'text', agentCallable: 'true' as never },
    ],
    execute(method, args) {
      ran.push([method, args])
      return `${method} done`
    },
  }
}

function registryWith(toolkit: Toolkit) {
  const registry = createRegistry()
  registry.addToolkit(toolkit)
  return registry
}

test('only methods declared as callable become tools', async () => {
  const toolkit = directory()
  const registry = registryWith(toolkit)
  expect([...registry.tools.keys()]).toEqual([
    'directory-tree_ListFiles2',
    'directory-tree_count_all',
  ])
  for (const method of ['destroy', 'hidden', 'text', 'execute', 'constructor']) {
    const call = { name: `directory-tree_${method}`, args: {} }
    expect(await executeWith(registry, call)).toMatchObject({
      failure: { error_type: 'not_found' },
    })
  }
  expect(toolkit.ran).toEqual([])
})

test('a method that is no longer callable does not run', async () => {
  const toolkit = directory()
  const registry = registryWith(toolkit)
  Object.assign(toolkit.methods[0]!, { agentCallable: false })
  const call = { name: 'directory-tree_listFiles', args: { path: '.' } }
  expect(messageOf(await executeWith(registry, call))).toBe(
    'listFiles cannot be called by a model.',
  )
  expect(toolkit.ran).toEqual([])
})

test.each([
  ['its full name', 'tool_name:「始」directory-tree_listFiles「末」'],
  ['tool and command', 'tool_name:「始」directory-tree「末」,\ncommand:「始」listFiles「末」'],
  ['its vcpCommand', 'tool_name:「始」directory-tree「末」,\ncommand:「始」ListFiles2「末」'],
  ['the command first', 'command:「始」listFiles「末」,\ntool_name:「始」directory-tree「末」'],
])(
  "VCP calls a method by %s, and its string arguments are converted to the method's types",
  async (_, head) => {
    const toolkit = directory()
    const registry = registryWith(toolkit)
    const text = `<<<[TOOL_REQUEST]>>>\n${head},\npath:「始」true「末」,\nrecursive:「始」true「末」,\ndepth:「始」2「末」,\nskip:「始」["a"]「末」\n<<<[END_TOOL_REQUEST]>>>`
    const { calls } = parse(text, { protocols: vcp, tools: registry.known() })
    expect(calls).toHaveLength(1)
    const [{ name, args }] = calls as [(typeof calls)[number]]
    expect(messageOf(await executeWith(registry, { name, args }))).toBe('listFiles done')
    expect(toolkit.ran).toEqual([
      ['listFiles', { path: 'true', recursive: true, depth: 2, skip: ['a'] }],
    ])
  },
)

test('a run offers and runs a method by its vcpCommand', async () => {
  const toolkit = directory()
  const registry = registryWith(toolkit)
  const fields = 'tool_name:「始」directory-tree_ListFiles2「末」,\npath:「始」src「末」'
  const model = scriptedModel([`<<<[TOOL_REQUEST]>>>\n${fields}\n<<<[END_TOOL_REQUEST]>>>`, 'Done'])
  const { calls } = await collect(run({ model, registry, protocol: 'vcp', prompt: 'Go' }))
  const prompt = JSON.stringify(model.requests[0]!.messages)
  expect(prompt).toContain('tool_name:「始」directory-tree_ListFiles2「末」')
  expect(prompt).not.toContain('directory-tree_listFiles')
  expect(calls.map(({ outcome }) => outcome.text)).toEqual(['listFiles done'])
  expect(registry.methods()[0]!.methods[0]!.call).toBe('directory-tree_ListFiles2')
})

test('never splits names, so underscores are allowed anywhere', async () => {
  const registry = createRegistry()
  const kit = (id: string, method: string): Toolkit => ({
    id,
    methods: [{ name: method, agentCallable: true, readOnly: true }],
    execute: (name) => `${id} ${name}`,
  })
  registry.addToolkit(kit('read', 'file_now'))
  expect(messageOf(await executeWith(registry, { name: 'read_file_now', args: {} }))).toBe(
    'read file_now',
  )
  expect(() => registry.addToolkit(kit('read_file', 'now'))).toThrow('"read_file_now"')
  expect([...registry.tools.keys()]).toEqual(['read_file_now'])
  expect(registry.methods()).toHaveLength(1)
})

test('a toolkit is added completely or not at all, and removed completely', () => {
  const registry = registryWith(directory())
  const before = registry.revision
  expect(() => registry.addToolkit(directory())).toThrow('"directory-tree"')
  const other: Toolkit = {
    id: 'other',
    methods: [
      { name: 'one', agentCallable: true },
      { name: 'ONE', agentCallable: true },
    ],
    execute: () => 1,
  }
  expect(() => registry.addToolkit(other)).toThrow('"other_ONE" and "other_one"')
  expect(registry.revision).toBe(before)
  expect(() => registry.remove('directory-tree_ListFiles2')).toThrow('belongs to the toolkit')
  expect(registry.remove('directory-tree')).toBe(true)
  expect([...registry.callable.keys()]).toEqual([])
  registry.addToolkit(directory())
})

test('a method without execute() is rejected immediately', () => {
  const toolkit = { id: 'kit', methods: [{ name: 'go', agentCallable: true }] }
  expect(() => registryWith(toolkit)).toThrow(
    "The method go of the toolkit kit requires execute(), its own or the toolkit's.",
  )
})

test('a list of parameters becomes a schema for the model', () => {
  const [list] = registryWith(directory()).definitions()
  expect(list!.parameters).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where' },
      recursive: { type: 'boolean', default: false },
      depth: { type: 'integer' },
      skip: { type: 'array', items: { type: 'string' } },
    },
    required: ['path'],
    additionalProperties: false,
  })
  const method: Method = {
    name: 'odd',
    agentCallable: true,
    parameters: [{ name: 'map', type: 'Record<string, string>', description: 'A map.' }],
    execute: () => 1,
  }
  const [odd] = registryWith({ id: 'kit', methods: [method] }).definitions()
  expect(odd!.parameters!['properties']).toEqual({
    map: { description: 'A map. Type: Record<string, string>' },
  })
  const twice = { ...method, parameters: [{ name: 'a' }, { name: 'a' }] }
  expect(() => registryWith({ id: 'kit', methods: [twice] })).toThrow('same name')
})

test('methods() lists toolkits with their methods, and single tools as toolkits', () => {
  const registry = registryWith(directory())
  const echo = { type: 'object', properties: {} }
  registry.add({
    name: 'echo',
    description: 'Says it',
    parameters: echo,
    access: {},
    execute: () => 1,
  })
  const names = (found = registry.methods()) =>
    found.map(({ toolId, toolName, methods }) => [
      toolId,
      toolName,
      methods.map(({ name }) => name),
    ])
  expect(names()).toEqual([
    ['echo', 'echo', ['echo']],
    ['directory-tree', 'Directory tree', ['listFiles', 'count_all']],
  ])
  expect(names(registry.methods(({ agentCallable }) => !agentCallable))).toEqual([
    ['directory-tree', 'Directory tree', ['destroy', 'hidden', 'text']],
  ])
  expect(registry.methods()[0]!.methods[0]).toEqual({
    name: 'echo',
    call: 'echo',
    description: 'Says it',
    parameters: echo,
    agentCallable: true,
    enabled: true,
  })
  registry.configure({ toolToggles: { 'directory-tree': false, 'directory-tree_count_all': true } })
  expect(names()).toEqual([
    ['echo', 'echo', ['echo']],
    ['directory-tree', 'Directory tree', ['count_all']],
  ])
})

class Notes {
  readonly id = 'notes'
  readonly #kept: string[] = []
  getMetadata() {
    const parameters = [{ name: 'text', type: 'string', required: true }]
    return {
      methods: [
        { name: 'keep', parameters, agentCallable: true, readOnly: true },
        { name: 'wipe', parameters: [] },
        { name: 'toString', agentCallable: true, readOnly: true },
        { name: 'absent', agentCallable: true, readOnly: true },
      ],
    }
  }
  keep({ text }: { text: string }) {
    return this.#kept.push(text)
  }
  wipe() {
    this.#kept.length = 0
  }
}

test('an object that describes its methods becomes a toolkit', async () => {
  const registry = registryWith(toToolkit(new Notes()))
  const call = async (name: string, args = {}) =>
    messageOf(await executeWith(registry, { name, args }))
  expect(await call('notes_keep', { text: 'a' })).toBe('1')
  expect(await call('notes_keep', { text: 'b' })).toBe('2')
  expect(await call('notes_wipe')).toContain('Unknown tool "notes_wipe"')
  expect(await call('notes_toString')).toBe('There is no method "toString".')
  expect(await call('notes_absent')).toBe('There is no method "absent".')
})
