import { describe, expect, test } from 'vitest'
import type { RuleScope } from '@toolglot/permissions'
import { settingValues } from './keys/key.ts'
import { testCommand } from './keys/tools.ts'
import { mergeSettings, type Settings } from './merge-settings.ts'
import { readSettings } from './read-settings.ts'

type Written = Partial<Record<RuleScope, object | string>>

function merge(written: Written, trusted = false): Settings {
  const files = Object.entries(written).map(([scope, settings]) =>
    readSettings(typeof settings === 'string' ? settings : JSON.stringify(settings), {
      file: `/${scope}.json`,
      scope: scope as RuleScope,
      root: '/ws',
    }),
  )
  return mergeSettings(files, { trusted })
}

const rules = (verdict: string, ...scopes: RuleScope[]): Written =>
  Object.fromEntries(
    scopes.map((scope) => [scope, { permissions: { [verdict]: [`Bash(${scope})`] } }]),
  )
const modes = (given: Partial<Record<RuleScope, string>>): Written =>
  Object.fromEntries(
    Object.entries(given).map(([scope, mode]) => [scope, { permissions: { mode } }]),
  )
const texts = ({ rules }: Settings): string[] => rules.map(({ text }) => text)

const scopes: RuleScope[] = ['user', 'project', 'local', 'cli', 'managed']

test('all scopes can deny and ask', () => {
  for (const verdict of ['deny', 'ask']) {
    expect(texts(merge(rules(verdict, ...scopes)))).toEqual([
      'Bash(managed)',
      'Bash(cli)',
      'Bash(local)',
      'Bash(project)',
      'Bash(user)',
    ])
  }
})

test("a folder's settings allow only if it is trusted", () => {
  const written = rules('allow', ...scopes)
  expect(texts(merge(written))).toEqual(['Bash(managed)', 'Bash(cli)', 'Bash(user)'])
  expect(merge(written).withheld.rules.map(({ text }) => text)).toEqual([
    'Bash(local)',
    'Bash(project)',
  ])
  expect(texts(merge(written, true))).toHaveLength(5)
  expect(merge(written, true).withheld.rules).toEqual([])
})

test('and the same applies to extending the workspace and adding code', () => {
  const settings = { permissions: { roots: ['..'] }, protocols: ['./mine.ts'] }
  const written = { project: settings, local: settings }
  expect(merge(written)).toMatchObject({ roots: [], protocols: [] })
  expect(merge(written).withheld).toMatchObject({
    roots: [{ path: '..' }, { path: '..' }],
    protocols: [{ path: './mine.ts' }, { path: './mine.ts' }],
  })
  expect(merge(written, true).protocols).toHaveLength(2)
  expect(merge({ user: settings })).toMatchObject({
    roots: [{ path: '..' }],
    protocols: [{ path: './mine.ts' }],
  })
})

describe('mode', () => {
  test.each<[Partial<Record<RuleScope, string>>, untrusted: string, trusted: string]>([
    [{}, 'default', 'default'],
    [{ user: 'acceptEdits' }, 'acceptEdits', 'acceptEdits'],
    [{ user: 'plan', cli: 'acceptEdits' }, 'acceptEdits', 'acceptEdits'],
    // A project can make the mode stricter but not looser.
    [{ project: 'acceptEdits' }, 'default', 'default'],
    [{ project: 'plan' }, 'plan', 'plan'],
    [{ project: 'default', user: 'plan' }, 'plan', 'plan'],
    [{ project: 'default', user: 'acceptEdits' }, 'default', 'default'],
    [{ project: 'dontAsk', cli: 'acceptEdits' }, 'dontAsk', 'dontAsk'],
    // The modes are not comparable (one asks, the other denies), so the user's own mode stays.
    [{ project: 'plan', cli: 'dontAsk' }, 'dontAsk', 'dontAsk'],
    [{ project: 'dontAsk', cli: 'plan' }, 'plan', 'plan'],
    // Local settings count as the user's own once the folder is trusted.
    [{ local: 'acceptEdits' }, 'default', 'acceptEdits'],
    [{ local: 'acceptEdits', user: 'plan' }, 'plan', 'acceptEdits'],
    [{ local: 'acceptEdits', project: 'plan' }, 'plan', 'plan'],
    [{ local: 'plan' }, 'plan', 'plan'],
    // No other scope can loosen the administrator's mode.
    [{ managed: 'default', cli: 'acceptEdits' }, 'default', 'default'],
    [{ managed: 'default', cli: 'plan' }, 'plan', 'plan'],
    [{ managed: 'plan', cli: 'dontAsk' }, 'plan', 'plan'],
    [{ managed: 'acceptEdits' }, 'acceptEdits', 'acceptEdits'],
  ])('%j', (given, untrusted, trusted) => {
    expect(merge(modes(given)).mode).toBe(untrusted)
    expect(merge(modes(given), true).mode).toBe(trusted)
  })
})

test.each(scopes)(
  'one broken file (%s): nothing is allowed, and the problem is reported',
  (scope) => {
    const written = {
      ...rules('allow', 'cli', 'managed'),
      user: { permissions: { mode: 'acceptEdits', roots: ['/'], deny: ['Read'] } },
      [scope]: '{"permissions": {"alow": [], "deny": ["Bash(sudo:*)"], "mode": "acceptEdits"}}',
    }
    for (const trusted of [false, true]) {
      const settings = merge(written, trusted)
      expect(settings.problems).toMatchObject([{ file: `/${scope}.json`, line: 1 }])
      expect(settings.rules.filter(({ verdict }) => verdict === 'allow')).toEqual([])
      expect(texts(settings)).toContain('Bash(sudo:*)')
      expect(settings).toMatchObject({ mode: 'default', roots: [] })
    }
  },
)

test("a key in a folder's settings counts once the folder is trusted", () => {
  const theirs = readSettings('{ "testCommand": "make check" }', {
    file: 'a',
    scope: 'project',
    root: '/w',
  })
  const own = readSettings('{ "testCommand": "npm test", "model": 3 }', {
    file: 'b',
    scope: 'user',
    root: '/h',
  })
  const said = (trusted: boolean): unknown[] =>
    settingValues(mergeSettings([own, theirs], { trusted }), testCommand).map(({ value }) => value)

  expect(said(false)).toEqual(['npm test'])
  expect(said(true)).toEqual(['make check', 'npm test'])
  expect(own.warnings).toMatchObject([{ line: 1, reason: expect.stringContaining('not 3') }])
})
