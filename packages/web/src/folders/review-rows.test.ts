import { expect, test } from 'vitest'
import { reviewRows, describeRule } from './review-rows.ts'
import { type TrustOffer, trustStateOf } from './trust-words.tsx'

const place = { scope: 'project', file: '/f/.toolglot/settings.json', line: 3 } as const
const nothing: TrustOffer = {
  folder: '/f',
  trust: 'untrusted',
  grantsNothing: true,
  rules: [],
  roots: [],
  protocols: [],
  values: [],
  restrictions: [],
  problems: [],
  digests: ['d'],
}

test('has no rows without effects', () => {
  expect(reviewRows(nothing)).toEqual([])
})

test('lists every effect with its location; entries that run code come first', () => {
  const rows = reviewRows({
    ...nothing,
    grantsNothing: false,
    mode: 'acceptEdits',
    rules: [
      { rule: 'Bash(npm test)', ...place },
      { rule: 'Bash(*)', ...place },
    ],
    roots: [{ path: '/other', ...place }],
    protocols: [{ path: './mine.ts', ...place }],
    values: [
      { key: 'model', value: 'ollama/x', ...place },
      {
        key: 'mcpServers',
        value: {
          tickets: { command: 'node', args: ['a b.mjs', 'x'], env: { A: '1' } },
          web: { url: 'https://example.com/mcp' },
        },
        ...place,
      },
      { key: 'languageServers', value: [{ name: 'g', command: ['gleam', 'lsp'] }], ...place },
      { key: 'tools', value: ['./tool.js'], ...place },
      { key: 'testCommand', value: 'make test', ...place },
    ],
    restrictions: [{ rule: 'Read(.env)', verdict: 'deny', ...place }],
  })
  expect(rows.map((row) => (row.type === 'heading' ? [row.key, row.count] : row.text))).toEqual([
    ['folders.section.code', 5],
    './mine.ts',
    'tickets: node "a b.mjs" x  {"env":{"A":"1"}}',
    'web: https://example.com/mcp',
    'gleam lsp  {"name":"g"}',
    './tool.js',
    ['folders.section.rules', 3],
    'acceptEdits',
    // The broadest grants come first.
    'Bash(*)',
    'Bash(npm test)',
    ['folders.section.roots', 1],
    '/other',
    ['folders.section.values', 2],
    'model: ollama/x',
    'make test',
    ['folders.section.restrictions', 1],
    'Read(.env)',
  ])
  const placed = rows.filter((row) => row.type === 'item' && row.text !== 'acceptEdits')
  for (const row of placed) expect(row).toMatchObject({ file: place.file, line: 3 })
})

test.each([
  ['untrusted', true, 'nothing'],
  ['changed', true, 'nothing'],
  ['untrusted', false, 'untrusted'],
  ['changed', false, 'changed'],
  ['trusted', true, 'trusted'],
] as const)('%s, grants nothing %s: %s', (trust, grantsNothing, expected) => {
  expect(trustStateOf({ ...nothing, trust, grantsNothing })).toBe(expected)
})

test.each([
  ['Bash', 'folders.rule.runAll', '', 'Bash'],
  ['Bash(*)', 'folders.rule.runAll', '', 'Bash'],
  ['Bash(npm test)', 'folders.rule.run', 'npm test', 'Bash'],
  ['bash(npm run:*)', 'folders.rule.runStart', 'npm run', 'bash'],
  ['Bash(git *)', 'folders.rule.runStart', 'git', 'Bash'],
  ['Bash(echo (a) (b))', 'folders.rule.run', 'echo (a) (b)', 'Bash'],
  ['Bash(a\nb:*)', 'folders.rule.runStart', 'a\nb', 'Bash'],
  ['Read', 'folders.rule.readAll', '', 'Read'],
  ['Read(~/notes/**)', 'folders.rule.read', '~/notes/**', 'Read'],
  ['Edit(src/*.ts)', 'folders.rule.write', 'src/*.ts', 'Edit'],
  ['WebFetch(domain:go.dev)', 'folders.rule.fetch', 'go.dev', 'WebFetch'],
  ['WebFetch', 'folders.rule.fetchAll', '', 'WebFetch'],
  ['mcp__notes', 'folders.rule.server', 'notes', '*'],
  ['mcp__notes__*', 'folders.rule.server', 'notes', '*'],
  ['mcp__notes__list', 'folders.rule.serverTool', 'notes', 'list'],
  ['Grep', 'folders.rule.tool', '', 'Grep'],
  ['Grep(vendor/**)', 'folders.rule.toolFor', 'vendor/**', 'Grep'],
  ['(', 'folders.rule.tool', '', '('],
])('%j', (rule, key, what, tool) => {
  expect(describeRule(rule)).toMatchObject({ key, what, tool })
})

test.each([
  ['Write(**)', 'folders.rule.writeHere'],
  ['Edit(./**)', 'folders.rule.writeHere'],
  ['Read(**/*)', 'folders.rule.readHere'],
  ['Read(//**)', 'folders.rule.readAll'],
  ['Edit', 'folders.rule.writeAll'],
  ['Bash', 'folders.rule.runAll'],
  ['Bash(*)', 'folders.rule.runAll'],
  ['Bash(:*)', 'folders.rule.runAll'],
  ['WebFetch(domain:*)', 'folders.rule.fetchAll'],
  ['mcp__notes', 'folders.rule.server'],
])('%j is broad', (rule, key) => {
  expect(describeRule(rule)).toMatchObject({ key, isBroad: true })
})

test.each([
  'Bash(npm test)',
  'Bash(git:*)',
  'Write(src/**)',
  'mcp__notes__list',
  'Read(~/notes/**)',
])('%j is not broad', (rule) => {
  expect(describeRule(rule)).not.toHaveProperty('isBroad')
})
