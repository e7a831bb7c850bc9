import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, redactAll } from './redact.ts'

// Built at runtime, so that secret scanners do not report the tests.
const run = (length: number): string => 'aB3'.repeat(length).slice(0, length)

test.each([
  [`sk-${run(40)}`, 'sk-a[redacted]'],
  [`ghp_${run(36)}`, 'ghp_[redacted]'],
  [`AKIA${'ABCD'.repeat(4)}`, 'AKIA[redacted]'],
  [`Authorization: Bearer ${run(30)}`, 'Authorization: Bearer aB3a[redacted]'],
  [`eyJ${run(20)}.${run(20)}.${run(10)}`, 'eyJa[redacted]'],
  ['postgres://me:hunter2@db/x', 'postgres://me:[redacted]@db/x'],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted]'],
  [`{"api_key": "${run(20)}"}`, '{"api_key": "aB3a[redacted]"}'],
  [String.raw`{\"password\": \"hunter2\"}`, String.raw`{\"password\": \"[redacted]\"}`],
  [`--token ${run(20)} --x`, '--token aB3a[redacted] --x'],
  ['?token=abc&x=1', '?token=[redacted]&x=1'],
  [
    `-----BEGIN RSA PRIVATE KEY-----\n${run(60)}\n-----END RSA PRIVATE KEY-----\nrest`,
    '-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nrest',
  ],
  [`-----BEGIN PRIVATE KEY-----\n${run(60)}`, '-----BEGIN PRIVATE KEY-----[redacted]'],
])('%s', (text, expected) => {
  expect(redact(`a ${text}`)).toBe(`a ${expected}`)
})

test.each([
  'the token: string of a password: boolean',
  'max_tokens: 4096, tokens = 12',
  'a risk-assessment-of-everything-there-is',
  'PASSWORD=$PASSWORD',
  'a token of appreciation',
  'https://example.com/a@b',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
])('finds no secret in: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test('takes linear time for hostile input', () => {
  for (const piece of ['eyJ', 'token=', '-----BEGIN PRIVATE KEY-----', 'sk-', '://a:', 'Bearer '])
    expect(typeof redact(piece.repeat(100_000))).toBe('string')
})

test('laws: no secret remains, and redacting is idempotent', () => {
  const word = fc.string({ maxLength: 20 })
  const secret = fc.stringMatching(/^[A-Za-z0-9]{20,40}$/)
  fc.assert(
    fc.property(word, secret, word, (before, value, after) => {
      for (const text of [`sk-${value}`, `password=${value}`, `Bearer ${value}`]) {
        const once = redact(`${before} ${text} ${after}`)
        expect(once).not.toContain(value)
        expect(redact(once)).toBe(once)
      }
    }),
    { numRuns: 500 },
  )
})

test('redacts all strings in plain data and considers keys', () => {
  const data = {
    args: {
      command: 'curl -H "Authorization: Bearer abcdefgh12345678"',
      password: 'hunter2hunter2',
    },
    list: ['sk-abcdefghijklmnopqrst', 'plain text', 3, null],
    token: 'string',
  }
  expect(redactAll(data)).toEqual({
    args: { command: 'curl -H "Authorization: Bearer abcd[redacted]"', password: 'hunt[redacted]' },
    list: ['sk-a[redacted]', 'plain text', 3, null],
    token: 'string',
  })
})
