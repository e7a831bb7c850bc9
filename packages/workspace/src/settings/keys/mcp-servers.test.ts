import { describe, expect, test } from 'vitest'
import { readSettings } from '../read-settings.ts'
import { settingValues } from './key.ts'
import { mcpServers } from './mcp-servers.ts'

function read(servers: string): { servers: unknown; warnings: string[] } {
  const options = { file: 'settings.json', scope: 'user', root: '/home' } as const
  const found = readSettings(`{"mcpServers": ${servers}}`, options)
  expect(found.problems).toEqual([])
  return {
    servers: settingValues(found, mcpServers)[0]?.value,
    warnings: found.warnings.map(({ reason }) => reason),
  }
}

test('reads programs and addresses', () => {
  const servers = {
    notes: { command: 'npx', args: ['-y', ''], env: { A: '${A}' }, cwd: '~/notes', timeout: 5 },
    'far-away_2': { url: 'https://example.com/mcp', headers: { A: 'b' }, disabled: true },
  }
  expect(read(JSON.stringify(servers))).toEqual({ servers, warnings: [] })
})

describe('invalid servers are omitted and reported', () => {
  test.each([
    ['no name', '{"": {"command": "a"}}', '1 to 40 letters'],
    ['a name with two lines', '{"a__b": {"command": "a"}}', '1 to 40 letters'],
    ['a name that ends with one', '{"a_": {"command": "a"}}', '1 to 40 letters'],
    ['nothing', '{"a": {}}', 'either "command" or "url"'],
    ['both', '{"a": {"command": "a", "url": "http://x"}}', 'either "command" or "url"'],
    ['no text', '{"a": {"command": ["a"]}}', '"command" must be a string, not a list'],
    ['no list', '{"a": {"command": "a", "args": "b"}}', '"args" must be a list of strings'],
    ['numbers', '{"a": {"command": "a", "args": [1]}}', '"args" must be a list of strings'],
    [
      'a number in env',
      '{"a": {"command": "a", "env": {"A": 1}}}',
      '"env" must be an object with strings by name',
    ],
    ['a name twice', '{"a": {"command": "a", "env": {"A": "", "A": ""}}}', 'strings by name'],
    ['another protocol', '{"a": {"url": "file:///a"}}', 'an http: or https: URL'],
    ['a password', '{"a": {"url": "http://u:p@x/"}}', 'without a password'],
    [
      'headers of a program',
      '{"a": {"command": "a", "headers": {}}}',
      'cannot be combined with "command"',
    ],
    ['env of an address', '{"a": {"url": "http://x", "env": {}}}', 'cannot be combined with "url"'],
    ['an unknown key', '{"a": {"command": "a", "type": "stdio"}}', 'unknown key "type"'],
    ['no time', '{"a": {"command": "a", "timeout": 0}}', 'an integer number'],
    ['a list', '{"a": []}', '{"command": …}'],
  ])('%s', (_, text, reason) => {
    const { servers, warnings } = read(text)
    expect(servers).toEqual({})
    expect(warnings).toEqual([expect.stringContaining(reason)])
  })

  test('a duplicate server: both are omitted', () => {
    const { servers, warnings } = read('{"a": {"command": "a"}, "A": {"command": "b"}}')
    expect(servers).toEqual({})
    expect(warnings).toEqual([
      'the server "a": the name is a duplicate',
      'the server "A": the name is a duplicate',
    ])
  })

  test('a value that is not an object', () => {
    expect(read('[]')).toEqual({
      servers: undefined,
      warnings: ['"mcpServers" must be an object, not a list'],
    })
  })
})
