import {
  chmodSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { openTokens } from './tokens.ts'

let root: string
let stateFolder: string
beforeEach(() => {
  root = folderOf()
  stateFolder = join(root, 'state')
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const file = (): string => join(stateFolder, 'tokens.json')

test('creates a token of 256 bits at the first start, in a private file', () => {
  const main = openTokens({ stateFolder }).main()
  expect(Buffer.from(main, 'base64url')).toHaveLength(32)
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(statSync(stateFolder).mode & 0o777).toBe(0o700)
  expect(readdirSync(stateFolder)).toEqual(['tokens.json'])
})

test('finds the same token at the next start', () => {
  const main = openTokens({ stateFolder }).main()
  expect(openTokens({ stateFolder }).main()).toBe(main)
})

test('finds a token only by its text', () => {
  const tokens = openTokens({ stateFolder })
  expect(tokens.find(tokens.main())).toEqual({ name: 'main', scopes: ['all'] })
  expect(tokens.find(tokens.main().slice(1))).toBeUndefined()
  expect(tokens.find('')).toBeUndefined()
  expect(tokens.find('x'.repeat(100_000))).toBeUndefined()
})

test('stores only the digest of a named token', () => {
  const tokens = openTokens({ stateFolder })
  const token = tokens.create('ci', ['gateway'])
  expect(readFileSync(file(), 'utf8')).not.toContain(token)
  expect(tokens.find(token)).toMatchObject({ name: 'ci', scopes: ['gateway'] })
  expect(tokens.find(JSON.parse(readFileSync(file(), 'utf8')).tokens[0].digest)).toBeUndefined()
  expect(tokens.list().map(({ name }) => name)).toEqual(['main', 'ci'])
  expect(openTokens({ stateFolder }).find(token)?.name).toBe('ci')
})

test('no longer finds a revoked token', () => {
  const tokens = openTokens({ stateFolder })
  const token = tokens.create('ci', ['gateway'])
  expect(tokens.revoke('ci')).toBe(true)
  expect(tokens.revoke('ci')).toBe(false)
  expect(tokens.find(token)).toBeUndefined()
})

test('a new main token replaces the old one, and all other tokens stay valid', () => {
  const tokens = openTokens({ stateFolder })
  const old = tokens.main()
  const named = tokens.create('ci', ['metrics'])
  const main = tokens.rotate()
  expect(tokens.find(old)).toBeUndefined()
  expect(tokens.find(main)?.name).toBe('main')
  expect(tokens.find(named)?.name).toBe('ci')
})

test.each(['main', '', 'a b', '../x', 'ü', 'x'.repeat(65), 'a\nb'])(
  'refuses the name %j',
  (name) => {
    expect(() => openTokens({ stateFolder }).create(name, ['all'])).toThrow(
      /is the name of the main token|is not a name of up to 64/,
    )
  },
)

test('a name can be used once', () => {
  const tokens = openTokens({ stateFolder })
  tokens.create('ci', ['gateway'])
  expect(() => tokens.create('ci', ['all'])).toThrow('A token named ci already exists')
  expect(readdirSync(stateFolder)).toEqual(['tokens.json'])
})

test('changes by another process take effect immediately', () => {
  const server = openTokens({ stateFolder })
  const other = openTokens({ stateFolder })
  const token = other.create('ci', ['gateway'])
  expect(server.find(token)?.name).toBe('ci')
  other.revoke('ci')
  expect(server.find(token)).toBeUndefined()
})

test('two processes do not undo each other’s changes', () => {
  const one = openTokens({ stateFolder })
  const other = openTokens({ stateFolder })
  one.create('one', ['gateway'])
  other.create('other', ['gateway'])
  one.revoke('one')
  expect(
    openTokens({ stateFolder })
      .list()
      .map(({ name }) => name),
  ).toEqual(['main', 'other'])
})

test('takes over a lock whose owner crashed', () => {
  const tokens = openTokens({ stateFolder })
  writeFileSync(`${file()}.lock`, '')
  vi.setSystemTime(Date.now() + 20_000)
  tokens.create('ci', ['gateway'])
  expect(readdirSync(stateFolder)).toEqual(['tokens.json'])
})

describe('an unsafe file', () => {
  test.each([0o640, 0o604, 0o620])('is refused: mode %o', (mode) => {
    openTokens({ stateFolder })
    chmodSync(file(), mode)
    expect(() => openTokens({ stateFolder })).toThrow(`chmod 600 ${file()}`)
  })

  test('is refused: a link', () => {
    openTokens({ stateFolder })
    renameSync(file(), join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), file())
    expect(() => openTokens({ stateFolder })).toThrow('a symbolic link')
  })

  test('is used in a linked folder with a safe target', () => {
    const link = `${stateFolder}-link`
    openTokens({ stateFolder })
    symlinkSync(stateFolder, link)
    expect(openTokens({ stateFolder: link }).main()).toBe(openTokens({ stateFolder }).main())
    chmodSync(stateFolder, 0o777)
    expect(() => openTokens({ stateFolder: link })).toThrow(
      `(mode 777). Run chmod go-w ${realpathSync(stateFolder)}`,
    )
  })

  test('is refused in a folder that other users can write to', () => {
    openTokens({ stateFolder })
    chmodSync(stateFolder, 0o777)
    expect(() => openTokens({ stateFolder })).toThrow('chmod go-w')
  })

  test.each([
    '',
    '{}',
    '[]',
    'null',
    '{"version":1,"main":"short","tokens":[]}',
    `{"version":2,"main":"${'x'.repeat(43)}","tokens":[]}`,
    `{"version":1,"main":"${'x'.repeat(43)}","tokens":[{"name":"a","scopes":["root"],"digest":"${'0'.repeat(64)}","created":1}]}`,
    `{"version":1,"main":"${'x'.repeat(43)}","tokens":[{"name":"a","scopes":["all"],"digest":"","created":1}]}`,
  ])('is refused: %s', (text) => {
    openTokens({ stateFolder })
    writeFileSync(file(), text)
    expect(() => openTokens({ stateFolder })).toThrow('Remove it')
  })

  test('makes every token invalid while the server runs, and is reported once', () => {
    const onProblem = vi.fn<(error: unknown) => void>()
    const tokens = openTokens({ stateFolder, onProblem })
    const main = tokens.main()
    chmodSync(file(), 0o644)
    expect(tokens.find(main)).toBeUndefined()
    expect(tokens.find(main)).toBeUndefined()
    expect(tokens.tryMain()).toBeUndefined()
    expect(() => tokens.main()).toThrow('its mode is 644')
    expect(onProblem).toHaveBeenCalledOnce()
    expect(String(onProblem.mock.calls[0]![0])).not.toContain(main)
    chmodSync(file(), 0o600)
    expect(tokens.find(main)?.name).toBe('main')
    expect(tokens.tryMain()).toBe(main)
  })
})

describe('a given token', () => {
  const token = 'a-token-of-at-least-32-characters!'

  test('is the only one, and needs no file', () => {
    const tokens = openTokens({ stateFolder, token })
    expect([tokens.main(), tokens.tryMain()]).toEqual([token, token])
    expect(tokens.find(token)).toEqual({ name: 'main', scopes: ['all'] })
    expect(tokens.list()).toHaveLength(1)
    expect(() => tokens.create('ci', ['gateway'])).toThrow('Change it there')
    expect(() => tokens.rotate()).toThrow('Change it there')
    expect(readdirSync(root)).toEqual([])
  })

  test.each(['', 'short', `${token} `, `${token},${token}`, `${token}\n`, 'ü'.repeat(32)])(
    '%j is refused, and not repeated',
    (bad) => {
      expect(() => openTokens({ stateFolder, token: bad })).toThrow(/^The token [^ü!]*$/)
    },
  )
})
