import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test.each([
  'run-1a2b',
  'http://127.0.0.1:80/v1#a',
  '/tmp/a b',
  "it's",
  '$(touch x)',
  '`x`',
  '#x',
  '',
  '~',
  '!x',
  'a;b',
  '*',
])('%j has no special meaning in a shell', (text) => {
  const printed = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })
  expect(printed).toBe(text)
})

test('plain words are unchanged', () => {
  expect(shellWord('run-1a2b')).toBe('run-1a2b')
  expect(shellWord('ollama/qwen3:8b')).toBe('ollama/qwen3:8b')
})

test('a word cannot control the terminal', () => {
  expect(shellWord('a\x1b[2J\n')).toBe("'a\\x1b[2J\\n'")
})
