import { describe, expect, test } from 'vitest'
import { mergeSettings } from '../merge-settings.ts'
import { readSettings } from '../read-settings.ts'
import { serverSettings } from './server.ts'

function read(text: string, scope: 'user' | 'managed' | 'project' | 'local' = 'user') {
  return readSettings(text, { file: `${scope}.json`, scope, root: '/home' })
}

const settingsOf = (...files: ReturnType<typeof read>[]) =>
  serverSettings(mergeSettings(files, { trusted: true }))

test('is read', () => {
  const server = {
    port: 4748,
    hosts: ['gateway.example.com', '[::1]:8080', '10.0.0.7:80'],
    origins: ['https://page.example.com', 'http://localhost:3000'],
    limits: {
      connections: 8,
      connectionsPerToken: 3,
      requestsPerSecond: 5,
      burst: 9,
      gatewayBodySize: 1 << 20,
    },
  }
  const file = read(JSON.stringify({ server }))
  expect(file.warnings).toEqual([])
  expect(settingsOf(file)).toEqual(server)
})

test('without any, there are no settings', () => {
  expect(settingsOf()).toEqual({ limits: {} })
})

test('each member comes from the strongest scope that has it', () => {
  const user = read(
    '{"server": {"port": 1, "hosts": ["a"], "limits": {"burst": 1, "bodySize": 1}}}',
  )
  const managed = read('{"server": {"port": 2, "limits": {"burst": 2}}}', 'managed')
  expect(settingsOf(user, managed)).toEqual({
    port: 2,
    hosts: ['a'],
    limits: { burst: 2, bodySize: 1 },
  })
})

test.each(['project', 'local'] as const)('is not read from %s settings', (scope) => {
  const file = read('{"server": {"port": 1, "hosts": ["evil.example"]}}', scope)
  expect(file.warnings).toMatchObject([
    { line: 1, reason: '"server" is only read from your own settings' },
  ])
  expect(settingsOf(file)).toEqual({ limits: {} })
})

describe('what is invalid is reported, and the rest counts', () => {
  test.each([
    ['{"port": "4747"}', 'expected an integer from 1 to 65535 in "port", got "4747"'],
    ['{"hosts": ["*"]}', 'expected a host name, such as "gateway.example.com", got "*"'],
    [
      '{"hosts": ["a:99999"]}',
      'expected a host name, such as "gateway.example.com", got "a:99999"',
    ],
    ['{"hosts": ["a/b"]}', 'expected a host name, such as "gateway.example.com", got "a/b"'],
    ['{"hosts": ["a@b"]}', 'expected a host name, such as "gateway.example.com", got "a@b"'],
    ['{"hosts": ["0.0.0.0"]}', 'got "0.0.0.0"'],
    ['{"hosts": ["[::]:80"]}', 'got "[::]:80"'],
    ['{"hosts": {}}', 'expected a list, each a host name'],
    ['{"origins": ["null"]}', 'expected an origin, such as "https://page.example.com", got "null"'],
    ['{"origins": ["file://a"]}', 'got "file://a"'],
    ['{"origins": ["https://a/b"]}', 'got "https://a/b"'],
    ['{"limits": {"connections": 0}}', 'expected an integer from 1 in "connections", got 0'],
    ['{"limits": {"bodies": 1}}', '"limits" has no "bodies", only connections, '],
    ['{"limits": []}', 'expected an object in "limits", got a list'],
    ['{"__proto__": 1}', '"server" has no "__proto__"'],
    ['{"burst": 1}', '"server" has no "burst"'],
  ])('%s', (text, reason) => {
    const { problems, warnings } = read(`{"server": ${text}}`)
    expect(problems).toEqual([])
    expect(warnings).toMatchObject([{ line: 1, reason: expect.stringContaining(reason) as string }])
  })

  test('with their lines', () => {
    const file = read('{"server": {\n"port": 4747,\n"hosts": ["a",\n"*"],\n"port": 1\n}}')
    expect(file.warnings.map(({ line }) => line)).toEqual([4, 5])
    expect(settingsOf(file)).toEqual({ port: 4747, hosts: ['a'], limits: {} })
  })
})
