import { protocols } from '@toolglot/core'
import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { aliasTools } from '../tool/alias-tools.ts'
import { canonicalTools } from '@toolglot/permissions'
import { toolsByName } from '../tool/any-tool.ts'
import { tool, type Tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'
import type { ToolCallConfig } from './tool-call-config.ts'

const made = (name: string): Tool =>
  tool({
    name,
    description: name,
    parameters: { type: 'object' },
    access: canonicalTools.get(name)!,
    execute: (args) => ({ content: JSON.stringify(args), total_lines: 1, exit_code: 0 }),
  })

const tools = toolsByName([made('Read'), made('Bash')])
const aliases = aliasTools(tools, { testCommand: 'npm test' })
const whole = [...tools.values(), ...aliases]

const names = (config: ToolCallConfig, all: readonly Tool[] = whole) => {
  const registry = createRegistry(all, config)
  expect(registry.definitions().map(({ name }) => name)).toEqual([...registry.tools.keys()])
  const known = registry.known().map(({ name }) => name)
  expect(new Set(known).size).toBe(known.length)
  return [...registry.tools.keys()]
}

test('tools and their aliases can be added in any order, or alone', () => {
  const all = ['Read', 'Bash', 'read_file', 'bash', 'run_tests']
  expect(names({})).toEqual(all)
  expect(names({}, [...aliases, ...tools.values()]).sort()).toEqual([...all].sort())
  expect(names({}, aliases)).toEqual(['read_file', 'bash', 'run_tests'])
  const registry = createRegistry(aliases)
  expect(registry.find('read_file')).toBe(tools.get('Read'))
  expect(registry.find('Read')).toBe(undefined)
  expect(registry.prompt(protocols['hermes']!)).not.toContain('"Read"')
})

test('an alias can be added only once, and its name is then taken', () => {
  const registry = createRegistry(whole)
  expect(() => registry.add(aliases[0]!)).toThrow('collide: rename or remove one of them')
  expect(() => registry.add(made('Read'))).toThrow('collide: rename or remove one of them')
  expect(() => createRegistry(aliases).add({ ...made('Read'), name: 'READ_FILE' })).toThrow(
    'collide: rename or remove one of them',
  )
})

test('a tool and its aliases can be removed individually', () => {
  const registry = createRegistry(whole)
  registry.remove('read_file')
  // The name is an alias of Read that is not offered.
  expect(registry.find('read_file')).toBe(tools.get('Read'))
  expect(() => registry.add({ ...made('Bash'), name: 'read_file' })).toThrow()
  registry.add(aliases[0]!)
  registry.remove('Read')
  expect(registry.find('read_file')).toBe(tools.get('Read'))
  expect(registry.find('Read')).toBe(undefined)
  expect(() => registry.add({ ...made('Bash'), name: 'read_file' })).toThrow()
  registry.remove('read_file')
  registry.add({ ...made('Bash'), name: 'read_file', access: {} })
  expect(registry.find('read_file')).not.toBe(tools.get('Read'))
})

test.each([
  [{ Read: false }, ['Bash', 'bash', 'run_tests']],
  [{ read_file: false }, ['Bash', 'bash', 'run_tests']],
  [{ run_tests: false }, ['Read', 'read_file']],
])('are disabled together: %j', (toolToggles, left) => {
  expect(names({ toolToggles })).toEqual(left)
  expect(names({ toolToggles }, aliases)).toEqual(left.filter((name) => /^[a-z]/.test(name)))
})

test('mode: auto allows no tool by its alias; requireConfirmation applies to both names', async () => {
  const auto = createRegistry(aliases, { mode: 'auto' })
  const shell = { name: 'bash', args: { command: 'sudo ls' } }
  expect(messageOf(await executeWith(auto, shell))).toContain('nobody to ask')
  const asking = createRegistry(aliases, { requireConfirmation: true })
  expect(
    messageOf(await executeWith(asking, { name: 'read_file', args: { path: 'a' } })),
  ).toContain('nobody to ask')
})

test('presets of a tool apply to its aliases, and presets for an alias are reported', async () => {
  const registry = createRegistry(whole, { presets: { Read: { limit: 3 }, read_file: { a: 1 } } })
  const outcome = await executeWith(registry, { name: 'read_file', args: { path: 'a' } })
  expect(messageOf(outcome)).toContain('\\"limit\\":3')
  expect(registry.notes()).toEqual(['presets contains "read_file", which does not exist.'])
})

test('a call of a registered alias is decided on as a call of the tool', async () => {
  const registry = createRegistry()
  registry.add(made('Bash'), { aliases: ['sh'] })
  const call = { name: 'sh', args: { command: 'ls' } }
  expect(messageOf(await executeWith(registry, call, { allow: ['sh(ls)'] }))).toContain('ls')
  expect(messageOf(await executeWith(registry, call, { allow: ['Bash(pwd)'] }))).toContain(
    'no rule allows it',
  )
})
