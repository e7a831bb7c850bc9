import { describe, expect, test } from 'vitest'
import {
  draftOf,
  EMPTY_DRAFT,
  faultsOf,
  hasHidden,
  serverNamed,
  serverOf,
  withServer,
} from './server-draft.ts'

describe('a server', () => {
  const local = {
    command: 'npx',
    args: ['-y', 'a server with spaces'],
    env: { TOKEN: '${TOKEN}', EMPTY: '' },
    cwd: 'sub',
    timeout: 5000,
    disabled: true,
  }
  const remote = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } }

  test.each([
    ['a program', local],
    ['an address', remote],
    ['a program and nothing else', { command: 'x' }],
  ])('writes %s unchanged', (_, server) => {
    expect(serverOf(draftOf('a', server), server)).toEqual(server)
  })

  const odd = {
    command: ' /opt/my tools/run ',
    args: ['', '-c', 'a\nb', ' '],
    env: { KEY: ' line\nline ', EMPTY: '' },
  }

  test('writes only the fields that changed', () => {
    expect(serverOf({ ...draftOf('a', odd), disabled: true }, odd)).toEqual({
      ...odd,
      disabled: true,
    })
    expect(serverOf({ ...draftOf('a', odd), args: '-c\n\nx' }, odd)).toEqual({
      ...odd,
      args: ['-c', 'x'],
    })
    expect(serverOf({ ...draftOf('a', odd), env: '' }, odd)).not.toHaveProperty('env')
  })

  test('removes fields of programs when a program becomes an address', () => {
    const draft = { ...draftOf('a', local), kind: 'url', url: ' https://x.dev ' } as const
    expect(serverOf(draft, local)).toEqual({
      url: 'https://x.dev',
      timeout: 5000,
      disabled: true,
    })
  })

  test('a value may contain its separator', () => {
    const draft = { ...EMPTY_DRAFT, command: 'x', env: 'A=b=c\n\n B = d ' }
    expect(serverOf(draft, undefined)).toEqual({ command: 'x', env: { A: 'b=c', B: 'd' } })
  })
})

describe('faults', () => {
  test('of an empty form', () => {
    expect(faultsOf(EMPTY_DRAFT, [])).toEqual([
      { field: 'name', kind: 'empty' },
      { field: 'command', kind: 'empty' },
    ])
  })

  test('a name that differs only in case, and invalid lines', () => {
    const draft = { ...EMPTY_DRAFT, name: 'Notes', command: 'x', env: 'A=1\n=2' }
    expect(faultsOf(draft, ['notes'])).toEqual([
      { field: 'name', kind: 'taken' },
      { field: 'env', kind: 'pair' },
    ])
  })

  test('checks only the visible fields', () => {
    const draft = {
      ...EMPTY_DRAFT,
      name: 'a',
      kind: 'url',
      url: 'https://x.dev',
      env: 'A',
    } as const
    expect(faultsOf(draft, [])).toEqual([])
  })
})

test('finds a server by its own name, and detects hidden values', () => {
  expect(serverNamed({ a: 1 }, 'a')).toBe(1)
  expect(serverNamed({}, 'constructor')).toBeUndefined()
  expect(serverNamed(undefined, 'a')).toBeUndefined()
  expect(hasHidden({ env: { TOKEN: '(hidden)' } })).toBe(true)
  expect(hasHidden({ args: ['--key=sk-a[redacted]'] })).toBe(true)
  expect(hasHidden({ env: { TOKEN: '${TOKEN}' } })).toBe(false)
  expect(hasHidden(undefined)).toBe(false)
})

describe('withServer', () => {
  const servers = { a: { command: 'a' }, b: { command: 'b' } }
  test('adds, changes in place, renames and removes', () => {
    const server = { command: 'c' }
    expect(withServer(undefined, undefined, { name: 'c', server })).toEqual({ c: server })
    expect(Object.keys(withServer(servers, 'a', { name: 'c', server })!)).toEqual(['c', 'b'])
    expect(withServer(servers, 'a', undefined)).toEqual({ b: servers.b })
    expect(withServer({ a: 1 }, 'a', undefined)).toBeNull()
  })
})
