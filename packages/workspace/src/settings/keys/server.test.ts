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

test('is empty by default', () => {
  expect(settingsOf()).toEqual({ limits: {} })
})

test('takes each member from the strongest scope that contains it', () => {
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

describe('invalid parts are reported, and the rest counts', () => {
  test.each([
    ['{"port": "4747"}', '"port" must be an integer from 1 to 65535, not "4747"'],
    ['{"hosts": ["*"]}', 'invalid host name "*". Use one such as "gateway.example.com"'],
    [
      '{"hosts": ["a:99999"]}',
      'invalid host name "a:99999". Use one such as "gateway.example.com"',
    ],
    ['{"hosts": ["a/b"]}', 'invalid host name "a/b". Use one such as "gateway.example.com"'],
    ['{"hosts": ["a@b"]}', 'invalid host name "a@b". Use one such as "gateway.example.com"'],
    ['{"hosts": ["0.0.0.0"]}', 'invalid host name "0.0.0.0"'],
    ['{"hosts": ["[::]:80"]}', 'invalid host name "[::]:80"'],
    ['{"hosts": {}}', '"hosts" must be a list of host names, such as ["gateway.example.com"], not'],
    ['{"origins": ["null"]}', 'invalid origin "null". Use one such as "https://page.example.com"'],
    ['{"origins": ["file://a"]}', 'invalid origin "file://a"'],
    ['{"origins": ["https://a/b"]}', 'invalid origin "https://a/b"'],
    ['{"limits": {"connections": 0}}', '"connections" must be an integer of at least 1, not 0'],
    ['{"limits": {"bodies": 1}}', 'unknown key "bodies" in "limits". Known keys: connections, '],
    ['{"limits": []}', '"limits" must be an object, not a list'],
    ['{"__proto__": 1}', 'unknown key "__proto__" in "server"'],
    ['{"burst": 1}', 'unknown key "burst" in "server"'],
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
