import { expect, test } from 'vitest'
import { reviewRows } from './review-rows.ts'
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

test('nothing to review', () => {
  expect(reviewRows(nothing)).toEqual([])
})

test('everything is there, with its place; what runs code comes first', () => {
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
    // What allows most is seen first.
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
