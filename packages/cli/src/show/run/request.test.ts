import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { decide, readRules, suggestRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { colorsOf } from '../../terminal.ts'
import { showRequest } from './request.ts'

const colors = colorsOf(new PassThrough(), {})
const fileSystem = nodeFileSystem({ cwd: '/tmp' })

function asked(
  command: string,
  { rules = [] as readonly string[], columns = 60, diff = '' } = {},
): string {
  const call = { name: 'Bash', args: { command } }
  const source = { scope: 'user', file: 's.json', line: 3 } as const
  const permissions = readRules({ ask: rules }, { source })
  const decision = decide(call, permissions, fileSystem)
  const always = suggestRules(call, permissions, fileSystem)
  return showRequest({ decision, always, ...call }, { colors, columns, ...(diff && { diff }) })
}

test('shows each part, why it asks, and the narrow rule', () => {
  expect(asked('git status && make all')).toBe(
    [
      '  ? git status',
      '    no rule allows it; the rule Bash(git status) would',
      '  ? make all',
      '    no rule allows it; the rule Bash(make all) would',
      '  "always" allows, for this session:',
      '    Bash(git status)',
      '    Bash(make all)',
      '',
    ].join('\n'),
  )
})

test('shows the rule that decides and its source, and then offers no "always"', () => {
  const shown = asked('make all', { rules: ['Bash(make:*)'] })
  expect(shown).toContain('Bash(make:*)  s.json:3')
  expect(shown).not.toContain('always')
})

test('hides nothing at the edge of the screen or because of its length', () => {
  const long = `make ${'a'.repeat(150)} secret-end`
  const shown = asked(long, { columns: 40 })
  expect(shown.replaceAll(/\s+/g, '')).toContain(`make${'a'.repeat(150)}secret-end`)
  expect(shown).toContain(`"command": "make ${'a'.repeat(150)} secret-end"`)
  const diff = `--- a\n+++ a\n@@ -0,0 +1,100 @@\n${Array.from({ length: 100 }, (_, at) => `+line ${at}`).join('\n')}`
  expect(asked('make', { diff })).toContain('+line 99\n')
})

test('hides no argument among others', () => {
  const args = { note: 'hello', to: 'x'.repeat(50), amount: 9 }
  const part = { what: 'send', verdict: 'ask', why: 'no rule allows send' } as const
  const call = { name: 'send', args, always: [], decision: { ...part, parts: [part] } }
  expect(showRequest(call, { colors, columns: 80 })).toContain(`"to": "${'x'.repeat(50)}"`)
  const narrow = { ...call, args: { to: 'x'.repeat(50) } }
  expect(showRequest(narrow, { colors, columns: 50 })).toContain(`"to": "${'x'.repeat(50)}"`)
})

test('shows a long change to its end', () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `+line ${at}`).join('\n')
  expect(asked('make', { diff: `--- a\n+++ a\n@@ -0,0 +1,3000 @@\n${lines}` })).toContain(
    '+line 2999\n',
  )
})

test('a request cannot control the terminal', () => {
  // oxlint-disable-next-line no-control-regex
  expect(asked('make "\x1b[2K\r\x1b[A"')).not.toMatch(/[\x00-\x09\x0b-\x1f]/)
})
