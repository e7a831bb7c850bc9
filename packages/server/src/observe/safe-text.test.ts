import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLoginLink } from '../security/login.ts'
import { safeText } from './safe-text.ts'

const token = randomBytes(32).toString('base64url')
const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'

test.each([
  ['a token', token],
  ['a given token', randomBytes(16).toString('hex')],
  ['a key', key],
  [
    'a login code',
    createLoginLink('http://127.0.0.1', { main: () => token })
      .split('.')
      .at(-1)!,
  ],
])('hides %s, even if the text is truncated inside it', (_, secret) => {
  for (let before = 0; before <= 100; before += 1) {
    const text = `${' '.repeat(before)}${secret} after ${'long '.repeat(2000)}`
    expect(safeText(text)).not.toContain(secret.slice(0, 8))
  }
  expect(safeText(secret)).toMatch(/^.{0,4}\[redacted\]$/)
})

test('never reveals half a secret, even if hiding other secrets shortens the text', () => {
  for (let before = 0; before < token.length; before += 1) {
    const text = `${' '.repeat(before)}${`${token} `.repeat(200)}`
    expect(safeText(text, 2000)).not.toContain(token.slice(0, 8))
  }
})

test.each([
  'qwen3-coder:30b',
  'Mistral-Small-Instruct-2409-GGUF',
  'hf.co/unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:Q4_K_M',
  '0b9c7d2e-5d0f-4a52-9a67-3f8c6d2f1e11',
  '/v1/chat/completions',
])('shows %s', (text) => {
  expect(safeText(text)).toBe(text)
})

test('marks long text as truncated', () => {
  expect(safeText('a b '.repeat(30), 8)).toBe('a b a b …')
  expect(safeText('a b '.repeat(100_000), 8)).toBe('a b a b …')
  expect(safeText('a b a b ', 8)).toBe('a b a b ')
})
