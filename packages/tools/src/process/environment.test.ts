import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { environmentFor, isSecret } from './environment.ts'
import { runs } from '../../../../tests/helpers/size.ts'

const secrets: [name: string, value: string][] = [
  ['OPENAI_API_KEY', 'anything'],
  ['AWS_ACCESS_KEY_ID', 'x'],
  ['AWS_SECRET_ACCESS_KEY', 'x'],
  ['GITHUB_TOKEN', 'x'],
  ['githubToken', 'x'],
  ['MYSQL_PWD', 'x'],
  ['PGPASSWORD', 'x'],
  ['SSH_AUTH_SOCK', '/tmp/agent'],
  ['SENTRY_DSN', 'x'],
  ['npm_config__authToken', 'x'],
  ['HARMLESS', 'AKIAIOSFODNN7EXAMPLE'],
  ['HARMLESS', `ghp_${'a'.repeat(36)}`],
  ['HARMLESS', 'postgres://user:word@host/db'],
  ['HARMLESS', 'https://:word@host/'],
  ['HARMLESS', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x`],
  ['HARMLESS', '-----BEGIN RSA PRIVATE KEY-----\nx'],
]

const others: [name: string, value: string][] = [
  ['PATH', '/usr/bin:/bin'],
  ['HOME', '/home/me'],
  ['PWD', '/work'],
  ['OLDPWD', '/'],
  ['LANG', 'C.UTF-8'],
  ['KEYBOARD', 'de'],
  ['EDITOR', 'vi'],
  ['XAUTHORITY', '/home/me/.Xauthority'],
  ['HTTP_PROXY', 'http://proxy:3128'],
  ['HOMEPAGE', 'https://example.org:8080/a@b'],
  ['TEXT', 'task-force: sk- and so on'],
]

test.each(secrets)('%s=%s is a secret', (name, value) => {
  expect(isSecret(name, value)).toBe(true)
})

test.each(others)('%s=%s is not a secret', (name, value) => {
  expect(isSecret(name, value)).toBe(false)
})

test('no secret reaches a child, not even as part of another variable', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{12,24}$/)
  const part = fc.stringMatching(/^[A-Z]{1,6}$/)
  const named = fc.tuple(
    fc.tuple(part, fc.constantFrom('TOKEN', 'API_KEY', 'PASSWORD', 'SECRET', 'CREDENTIALS')),
    word,
  )
  fc.assert(
    fc.property(fc.array(named, { minLength: 1, maxLength: 5 }), fc.array(part), (found, plain) => {
      const env: Record<string, string> = { PATH: process.env['PATH'] ?? '' }
      for (const [parts, value] of found) env[parts.join('_')] = value
      for (const [index, name] of plain.entries())
        env[`X_${name}_${index}X`] = `before ${found[index % found.length]![1]} behind`
      const options = { env: environmentFor(env), encoding: 'utf8' } as const
      const seen = execFileSync('/usr/bin/env', ['-0'], options)
      for (const [, value] of found) expect(seen).not.toContain(value)
    }),
    runs(60),
  )
})

test('can keep variables explicitly, except those that change how a shell works', () => {
  const ours = {
    GITHUB_TOKEN: 'x',
    BASH_ENV: '/odd',
    SHELLOPTS: 'xtrace',
    'BASH_FUNC_ls%%': '() { :; }',
  }
  const env = environmentFor(ours, ['GITHUB_TOKEN', 'BASH_ENV'])
  expect(env).toMatchObject({ GITHUB_TOKEN: 'x', PAGER: 'cat', GIT_PAGER: 'cat', TOOLGLOT: '1' })
  expect(env).toMatchObject({ GIT_TERMINAL_PROMPT: '0', TERM: 'dumb' })
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['BASH_ENV']))
  expect(Object.keys(env).filter((name) => /SHELLOPTS|BASH/.test(name))).toEqual([])
})
