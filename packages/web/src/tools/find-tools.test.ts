import { expect, test } from 'vitest'
import { callsOf, findTools } from './find-tools.ts'
import { columnsFor, rowsOfToolkits, rowsOfTools } from './tool-list.tsx'
import type { ListedServer, ListedTool } from './listed-tool.ts'
import { toolkitsOf } from './toolkits.ts'
import { rulesAbout, verdictOf } from './tool-verdict-chip.tsx'

function made(name: string, more: Partial<ListedTool> = {}): ListedTool {
  return {
    name,
    description: `About ${name}`,
    parameters: { type: 'object', properties: {} },
    from: 'built-in',
    aliases: [],
    enabled: true,
    readOnly: false,
    asks: true,
    idempotent: false,
    dangerous: false,
    waits: false,
    ...more,
  }
}

const read = made('Read', { readOnly: true, asks: false, aliases: ['read_file'] })
const edit = made('Edit', { parameters: { properties: { old_string: {}, new_string: {} } } })
const open = made('mcp__hub__open', { from: 'mcp', server: 'hub', enabled: false })
const mine = made('kit_one', { from: 'own', toolkit: 'kit', dangerous: true })
const tools = [mine, open, read, edit]
const given = { search: '', filter: 'all', order: 'toolkit', calls: new Map() } as const
const namesOf = (found: readonly ListedTool[]): string[] => found.map(({ name }) => name)

test.each([
  ['old_string', ['Edit']],
  ['READ_FILE', ['Read']],
  ['about  hub', ['mcp__hub__open']],
  ['about nothing', []],
  ['kit', ['kit_one']],
])('searches for %j', (search, names) => {
  expect(namesOf(findTools(tools, { ...given, search }))).toEqual(names)
})

test('filters and sorts without changing the list', () => {
  const order = (by: 'name' | 'parameters' | 'used') =>
    namesOf(findTools(tools, { ...given, order: by, calls: new Map([['Read', 3]]) }))
  expect(order('name')).toEqual(['Edit', 'kit_one', 'mcp__hub__open', 'Read'])
  expect(order('parameters')).toEqual(['Edit', 'kit_one', 'mcp__hub__open', 'Read'])
  expect(order('used')[0]).toBe('Read')
  expect(
    callsOf(
      read,
      new Map([
        ['Read', 3],
        ['read_file', 2],
        ['Edit', 9],
      ]),
    ),
  ).toBe(5)
  const byAlias = new Map([
    ['read_file', 2],
    ['Edit', 1],
  ])
  expect(namesOf(findTools(tools, { ...given, order: 'used', calls: byAlias }))[0]).toBe('Read')
  const only = (filter: 'enabled' | 'read-only' | 'asks') =>
    namesOf(findTools(tools, { ...given, filter }))
  expect(only('enabled')).toEqual(['kit_one', 'Read', 'Edit'])
  expect(only('read-only')).toEqual(['Read'])
  expect(only('asks')).toEqual(['kit_one', 'mcp__hub__open', 'Edit'])
  expect(namesOf(tools)).toEqual(['kit_one', 'mcp__hub__open', 'Read', 'Edit'])
})

test('sorts toolkits; includes servers without tools only if they have a problem', () => {
  const server = (name: string, more: Partial<ListedServer>): ListedServer => ({
    name,
    scope: 'user',
    variables: [],
    headers: [],
    state: 'started',
    problems: [],
    tools: [],
    ...more,
  })
  const kits = toolkitsOf(
    tools,
    [read, open],
    [server('down', { state: 'failed', problems: ['It is not there.'] }), server('empty', {})],
  )
  expect(kits.map(({ id }) => id)).toEqual(['files', 'mcp down', 'mcp empty', 'mcp hub', 'own kit'])
  expect(kits[0]).toMatchObject({ tools: [read], members: [read, edit] })
  expect(
    rowsOfToolkits(kits, 3).map((row) =>
      row.kind === 'cards' ? namesOf(row.tools).join() : `${row.kind} ${row.kit.id}`,
    ),
  ).toEqual([
    'head files',
    'Read',
    'head mcp down',
    'problem mcp down',
    'head mcp hub',
    'mcp__hub__open',
  ])
})

test('rows contain every tool once, in order', () => {
  for (const columns of [1, 2, 3, 8])
    expect(
      rowsOfTools(tools, columns).flatMap((row) => (row.kind === 'cards' ? row.tools : [])),
    ).toEqual(tools)
  expect([0, 200, 471, 472, 10_000].map(columnsFor)).toEqual([1, 1, 1, 2, 8])
})

test('derives the verdict from rules for the whole tool', () => {
  const rule = (verdict: string, value: string, counts = true) => ({
    key: `permissions.${verdict}`,
    value,
    counts,
    scope: 'user' as const,
  })
  const verdict = (tool: ListedTool, ...values: ReturnType<typeof rule>[]) =>
    verdictOf(tool, rulesAbout({ values }, tool))
  expect(verdict(read)).toBe('read-only')
  expect(verdict(edit)).toBe('asks')
  expect(verdict(mine)).toBe('dangerous')
  expect(verdict(edit, rule('allow', 'Edit'))).toBe('allowed')
  expect(verdict(edit, rule('allow', 'Edit'), rule('deny', 'Edit'))).toBe('denied')
  expect(verdict(edit, rule('allow', 'Edit(src/**)'), rule('deny', 'Editor'))).toBe('asks')
  expect(verdict(edit, rule('allow', 'Edit', false))).toBe('asks')
  expect(verdict(open, rule('allow', 'mcp__hub__*'))).toBe('allowed')
  expect(verdict(read, rule('ask', 'read_file'))).toBe('asks')
})
