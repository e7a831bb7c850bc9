import { expect, onTestFinished, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { memoryValues } from '../../test/memory-values.ts'
import {
  createSharedLoginLink,
  sharedLogin,
  type SharedTokens,
  sharedTokens,
} from './shared-values.ts'
import { openTokens } from './tokens.ts'

/** Two servers on different machines. */
function servers(values = memoryValues()): [SharedTokens, SharedTokens] {
  const open = (): SharedTokens => {
    const stateFolder = folderOf()
    return sharedTokens(values, openTokens({ stateFolder }))
  }
  return [open(), open()]
}

test('a token created on one server works on another, until it is revoked on any', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = servers()
  const token = await one.create('ci', ['gateway'])
  expect(await other.find(token)).toMatchObject({ name: 'ci', scopes: ['gateway'] })
  expect(await other.find(`${token}x`)).toBeUndefined()
  expect((await other.list()).map(({ name }) => name)).toEqual(['main', 'ci'])
  await expect(other.create('ci', ['all'])).rejects.toThrow('A token named ci already exists')
  expect(await other.revoke('ci')).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(await one.find(token)).toBeUndefined()
  expect(await other.find(token)).toBeUndefined()
  expect(await other.revoke('ci')).toBe(false)
})

test('the main token is per machine, and no token is stored', async () => {
  const values = memoryValues()
  const [one, other] = servers(values)
  expect(await one.find(one.main())).toMatchObject({ name: 'main' })
  expect(await other.find(one.main())).toBeUndefined()
  const token = await one.create('ci', ['all'])
  const stored = JSON.stringify([
    ...(await values.list('tokens')),
    ...(await values.list('token-names')),
  ])
  expect(stored).not.toContain(token)
  expect(stored).not.toContain(one.main())
})

test('logging in or out on one server applies to all servers', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let time = 1e12
  const values = memoryValues(() => time)
  const [one, other] = [sharedLogin(values), sharedLogin(values)]
  const codeFor = async (): Promise<string> =>
    new URL(await createSharedLoginLink('http://127.0.0.1:4747', values)).hash.slice(7)
  const code = await codeFor()
  const session = (await other.exchange(code, 'cookie'))!
  expect(await one.isValid(session, 'cookie')).toBe(true)
  expect(await one.isValid(session, 'another')).toBe(false)
  // A code can be used once across all servers.
  expect(await one.exchange(code, 'cookie')).toBeUndefined()
  expect(JSON.stringify([...(await values.list('sessions'))])).not.toContain(session)
  await one.end(session, 'cookie')
  vi.advanceTimersByTime(1000)
  expect(await other.isValid(session, 'cookie')).toBe(false)
  // Codes and sessions expire.
  const late = await codeFor()
  time += 10 * 60_000
  expect(await one.exchange(late, 'cookie')).toBeUndefined()
  const old = (await one.exchange(await codeFor(), 'cookie'))!
  time += 7 * 86_400_000
  expect(await other.isValid(old, 'cookie')).toBe(false)
  // Guessing is rate-limited.
  for (let guess = 0; guess < 10; guess++) await one.exchange('wrong', 'cookie')
  expect(one.wait()).toBeGreaterThan(0)
  // A new main token ends all logins.
  const [tokens] = servers(values)
  const last = (await one.exchange(await codeFor(), 'cookie'))!
  await tokens.rotate()
  expect(await other.isValid(last, 'cookie')).toBe(false)
})
