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

test('programs and addresses', () => {
  const servers = {
    notes: { command: 'npx', args: ['-y', ''], env: { A: '${A}' }, cwd: '~/notes', timeout: 5 },
    'far-away_2': { url: 'https://example.com/mcp', headers: { A: 'b' }, disabled: true },
  }
  expect(read(JSON.stringify(servers))).toEqual({ servers, warnings: [] })
})

describe('what is not understood is left out, and said', () => {
  test.each([
    ['no name', '{"": {"command": "a"}}', 'a name of letters'],
    ['a name with two lines', '{"a__b": {"command": "a"}}', 'a name of letters'],
    ['a name that ends with one', '{"a_": {"command": "a"}}', 'a name of letters'],
    ['nothing', '{"a": {}}', 'either "command" or "url"'],
    ['both', '{"a": {"command": "a", "url": "http://x"}}', 'either "command" or "url"'],
    ['no text', '{"a": {"command": ["a"]}}', 'a string in "command", got a list'],
    ['no list', '{"a": {"command": "a", "args": "b"}}', 'a list of strings in "args"'],
    ['numbers', '{"a": {"command": "a", "args": [1]}}', 'a list of strings in "args"'],
    ['a number in env', '{"a": {"command": "a", "env": {"A": 1}}}', 'strings by name in "env"'],
    ['a name twice', '{"a": {"command": "a", "env": {"A": "", "A": ""}}}', 'strings by name'],
    ['another protocol', '{"a": {"url": "file:///a"}}', 'an http: or https: URL'],
    ['a password', '{"a": {"url": "http://u:p@x/"}}', 'without a password'],
    [
      'headers of a program',
      '{"a": {"command": "a", "headers": {}}}',
      'does not go with "command"',
    ],
    ['env of an address', '{"a": {"url": "http://x", "env": {}}}', 'does not go with "url"'],
    ['an unknown key', '{"a": {"command": "a", "type": "stdio"}}', 'there is no "type"'],
    ['no time', '{"a": {"command": "a", "timeout": 0}}', 'an integer number'],
    ['a list', '{"a": []}', '{"command": …}'],
  ])('%s', (_, text, reason) => {
    const { servers, warnings } = read(text)
    expect(servers).toEqual({})
    expect(warnings).toEqual([expect.stringContaining(reason)])
  })

  test('a server twice: neither', () => {
    const { servers, warnings } = read('{"a": {"command": "a"}, "A": {"command": "b"}}')
    expect(servers).toEqual({})
    expect(warnings).toEqual([
      'the server "a": its name is a duplicate',
      'the server "A": its name is a duplicate',
    ])
  })

  test('no object', () => {
    expect(read('[]')).toEqual({
      servers: undefined,
      warnings: ['expected an object in "mcpServers", got a list'],
    })
  })
})
