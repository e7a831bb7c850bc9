import { canonicalTools } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { aliasTools } from '../tool/alias-tools.ts'
import { tool, type Tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'
import type { Registry } from './registry.ts'

const made = (name: string): Tool =>
  tool({
    name,
    description: name,
    parameters: { type: 'object' },
    ...(canonicalTools.has(name) && { access: canonicalTools.get(name)! }),
    execute: (args) => ({ content: JSON.stringify(args), total_lines: 1 }),
  })

function registryOfAll(): Registry {
  const registry = createRegistry([made('Read'), made('Bash'), made('send')])
  registry.add(made('add'), { aliases: ['plus'] })
  registry.addToolkit({
    id: 'kit',
    methods: ['one', 'two'].map((name) => ({ name, agentCallable: true })),
    execute: (method) => method,
  })
  return registry
}

function seen(tools: readonly string[]): string[] {
  const registry = registryOfAll()
  registry.configure({ tools })
  const found = registry.definitions().map(({ name }) => name)
  expect([...registry.tools.keys()]).toEqual(found)
  expect([...registry.tools.values()].map(({ name }) => name)).toEqual(found)
  expect(
    registry
      .methods()
      .flatMap(({ methods }) => methods.map(({ call }) => call))
      .sort(),
  ).toEqual([...found].sort())
  expect(registry.notes()).toEqual([])
  return found
}

test.each([
  [[], []],
  [['send'], ['send']],
  [
    ['send', 'Bash'],
    ['send', 'Bash'],
  ],
  [['kit'], ['kit_one', 'kit_two']],
  [
    ['kit_two', 'send'],
    ['kit_two', 'send'],
  ],
  [
    ['kit_two', 'kit', 'kit_two'],
    ['kit_two', 'kit_one'],
  ],
  // An alias added by the user is only an additional name.
  [['plus'], ['add']],
  [['read_file'], ['read_file']],
  [
    ['Read', 'read_file'],
    ['Read', 'read_file'],
  ],
  [
    ['bash', 'run_tests', 'send'],
    ['bash', 'run_tests', 'send'],
  ],
])('tools: %j offers %j', (tools, expected) => {
  expect(seen(tools)).toEqual(expected)
})

test('an alias is offered with its own parameters and called as its tool', async () => {
  const registry = registryOfAll().with({ tools: ['read_file'], presets: { Read: { limit: 3 } } })
  const [definition] = registry.definitions()
  expect(definition!.description).toBe('Read the contents of a file')
  expect(Object.keys(definition!.parameters!['properties'] as object)).toContain('path')
  expect(registry.find('read_file')?.name).toBe('Read')
  expect(registry.find('Read')).toBe(undefined)
  const result = await executeWith(registry, { name: 'read_file', args: { path: 'a' } })
  expect(JSON.parse(messageOf(result))).toEqual({
    content: JSON.stringify({ limit: 3, line_numbers: false, file_path: 'a' }),
    lines: 1,
  })
  expect(
    messageOf(await executeWith(registry, { name: 'read_file', args: { path: '/etc/shadow' } })),
  ).toContain('/etc/shadow')
})

test('an alias added as a tool is that tool', () => {
  const read = made('Read')
  const [alias] = aliasTools(new Map([['Read', read]]))
  const registry = createRegistry([read, alias!], { tools: ['read_file'] })
  expect(registry.tools.get('read_file')).toBe(alias)
})

test.each([
  ['sned', 'Unknown tool "sned". Did you mean send?'],
  ['kitt', 'Did you mean kit?'],
  ['read_fil', 'Did you mean read_file?'],
  ['SEND', 'Unknown tool "SEND". Did you mean send?'],
  ['xyzzy', 'Known tools: Read, Bash, send, add, kit_one, kit_two.'],
  ['', 'Unknown tool "".'],
  ['toString', 'Unknown tool "toString".'],
  ['x'.repeat(1e5), '(100000 characters)'],
])('the unknown name %.20s is rejected', (name, message) => {
  const registry = registryOfAll()
  expect(() => registry.configure({ tools: ['send', name] })).toThrow(message)
  expect(registry.definitions()).toHaveLength(6)
  expect(() => createRegistry([], { tools: [name] })).toThrow('There are no tools.')
})

test('selecting a tool enables it, but toggles can still disable it', () => {
  const registry = registryOfAll()
  registry.configure({ tools: ['send', 'read_file'], defaultToolEnabled: false })
  expect([...registry.tools.keys()]).toEqual(['send', 'read_file'])
  registry.configure({ toolToggles: { Read: false } })
  expect([...registry.tools.keys()]).toEqual(['send'])
  expect(registry.notes()).toEqual(['tools contains read_file, which toolToggles disables.'])
  registry.configure({ enabled: false })
  expect(registry.definitions()).toEqual([])
  expect(registry.notes()).toEqual([])
})

test('reports a tool removed later, which returns when it is added again', () => {
  const registry = registryOfAll()
  registry.configure({ tools: ['send', 'Read'] })
  registry.remove('send')
  expect([...registry.tools.keys()]).toEqual(['Read'])
  expect(registry.notes()).toEqual(['tools contains "send", which does not exist.'])
  registry.add(made('other'))
  registry.add(made('send'))
  expect([...registry.tools.keys()]).toEqual(['send', 'Read'])
})

test('a derived registry selects only from what its parent offers', () => {
  const registry = registryOfAll()
  const few = registry.with({ tools: ['send', 'read_file'] })
  expect([...few.with({ tools: ['read_file'] }).tools.keys()]).toEqual(['read_file'])
  expect(() => few.with({ tools: ['Bash'] })).toThrow('Unknown tool "Bash".')
  expect(() => few.with({ tools: ['Read'] })).toThrow('Known tools: send, read_file.')
  const fewer = few.with({ tools: ['send'] })
  few.configure({ tools: ['read_file'] })
  expect(fewer.definitions()).toEqual([])
})
