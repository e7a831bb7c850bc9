import { beforeEach, expect, test } from 'vitest'
import {
  cookieName,
  cookiesIn,
  createLogin,
  createLoginLink,
  type OwnLogin,
  setCookie,
  endedSessionsFile,
} from './login.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from '../../../../tests/helpers/folder.ts'

const url = 'http://127.0.0.1:4747'
const cookie = 'toolglot_4747'
let main: string
let time: number
let login: OwnLogin
const tokens = { main: () => main, tryMain: () => main }

beforeEach(() => {
  main = 'x'.repeat(43)
  time = Date.now()
  login = createLogin(tokens, () => time)
})

function code(): string {
  const link = createLoginLink(url, tokens)
  time = Math.max(time, Date.now())
  return new URL(link).hash.slice('#login='.length)
}

test('a link has its code in the fragment only, and does not contain the token', () => {
  const { pathname, search, hash, origin } = new URL(createLoginLink(url, tokens))
  expect([origin, pathname, search]).toEqual([url, '/', ''])
  expect(hash).toMatch(/^#login=[\w.-]{60,100}$/)
  expect(hash).not.toContain(main)
})

test('accepts a code from another process once', () => {
  const used = code()
  const session = login.exchange(used, cookie)
  expect(login.isValid(session!, cookie)).toBe(true)
  expect(login.exchange(used, cookie)).toBeUndefined()
  expect(login.exchange(code(), cookie)).toBeDefined()
})

test('a code expires after ten minutes', () => {
  const old = code()
  time += 10 * 60_000 + 1000
  expect(login.exchange(old, cookie)).toBeUndefined()
})

test('refuses a code from before a restart, because the list of used ones is lost', () => {
  const used = code()
  expect(login.exchange(used, cookie)).toBeDefined()
  time += 1
  expect(createLogin(tokens, () => time).exchange(used, cookie)).toBeUndefined()
})

test('a session expires after a week', () => {
  const session = login.exchange(code(), cookie)!
  time += 7 * 24 * 3600_000 - 1000
  expect(login.isValid(session, cookie)).toBe(true)
  time += 2000
  expect(login.isValid(session, cookie)).toBe(false)
})

test('a session survives a restart, but not a new main token', () => {
  const session = login.exchange(code(), cookie)!
  expect(createLogin(tokens, () => time).isValid(session, cookie)).toBe(true)
  main = 'y'.repeat(43)
  expect(login.isValid(session, cookie)).toBe(false)
})

test('a session is valid for one cookie, not for that of another port', () => {
  const session = login.exchange(code(), cookie)!
  expect(login.isValid(session, 'toolglot_4748')).toBe(false)
})

test('a code is not a session, and a session is not a code', () => {
  const used = code()
  expect(login.isValid(used, cookie)).toBe(false)
  expect(login.isValid(used, 'login')).toBe(false)
  expect(login.exchange(login.exchange(used, cookie)!, cookie)).toBeUndefined()
})

test('an ended session is not valid', () => {
  const session = login.exchange(code(), cookie)!
  const other = login.exchange(code(), cookie)!
  login.end(session)
  expect(login.isValid(session, cookie)).toBe(false)
  expect(login.isValid(other, cookie)).toBe(true)
})

test('every change of a code or a session makes it invalid', () => {
  const used = code()
  const session = login.exchange(code(), cookie)!
  for (let index = 0; index < session.length; index += 1) {
    const changed =
      session.slice(0, index) + (session[index] === 'a' ? 'b' : 'a') + session.slice(index + 1)
    expect(login.isValid(changed, cookie)).toBe(false)
  }
  for (const bad of ['', '.', '..', 'a.b.c', `${used}x`, used.slice(1), 'x'.repeat(1_000_000)]) {
    expect(login.exchange(bad, cookie)).toBeUndefined()
    expect(login.isValid(bad, cookie)).toBe(false)
  }
})

test('requires a pause after ten wrong codes in a minute, but still accepts a right one', () => {
  for (let count = 0; count < 9; count += 1) login.exchange('wrong', cookie)
  expect(login.wait()).toBe(0)
  login.exchange('wrong', cookie)
  expect(login.wait()).toBe(60)
  expect(login.exchange(code(), cookie)).toBeDefined()
  time += 61_000
  expect(login.wait()).toBe(0)
})

test('scripts cannot read the cookie, and only our own pages get it', () => {
  expect(setCookie(cookieName('127.0.0.1:4747', false), 's', false)).toBe(
    'toolglot_4747=s; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict',
  )
  expect(setCookie(cookieName('tools.example.com', true), 's', true)).toBe(
    '__Host-toolglot_443=s; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure',
  )
  expect(setCookie(cookie, '', false)).toContain('Max-Age=0')
})

test('finds cookies by their exact name', () => {
  const header = 'a=1; toolglot_4747=one; xtoolglot_4747=no; toolglot_47477=no;toolglot_4747=two=2'
  expect(cookiesIn(header, cookie)).toEqual(['one', 'two=2'])
  expect(cookiesIn(null, cookie)).toEqual([])
})

let folder: string
beforeEach(() => {
  folder = folderOf()
})

const later = Date.now() + 1_000_000

test('remembers sessions ended by two servers until they expire', () => {
  const problems: unknown[] = []
  const file = join(folder, 'ended.json')
  const [one, other] = [file, file].map((each) =>
    endedSessionsFile(each, (error) => problems.push(error)),
  )
  expect(one!.load()).toEqual([])
  one!.save([['a', later]])
  other!.save([
    ['b', later],
    ['expired', Date.now() - 1],
  ])
  expect(one!.load()).toEqual([
    ['a', later],
    ['b', later],
  ])
  expect(problems).toEqual([])
})

test.each(['{', 'null', '[]', '{"a": "b"}'])('ignores a file that contains %j', (text) => {
  const file = join(folder, 'ended.json')
  writeFileSync(file, text)
  const kept = endedSessionsFile(file)
  expect(kept.load()).toEqual([])
  kept.save([['a', later]])
  expect(kept.load()).toEqual([['a', later]])
})

test('reports a folder that is not writable without throwing', () => {
  const problems: unknown[] = []
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const kept = endedSessionsFile(join(file, 'ended.json'), (error) => problems.push(error))
  kept.save([['a', later]])
  expect(kept.load()).toEqual([])
  expect(problems.length).toBeGreaterThan(0)
})
