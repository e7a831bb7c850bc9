import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { NumberedRequest } from '../input/find-run.ts'
import { colorsOf } from '../terminal.ts'
import { showWaiting } from './waiting.ts'

const colors = colorsOf(new PassThrough(), {})
const now = 10_000_000

function shown(requests: readonly NumberedRequest[], columns = 80): string {
  return showWaiting(requests, new Map(), { colors, columns, now })
}

const asked = { run: 'run-1', call: 'c', since: now - 180_000 }

test('text from a model controls neither the terminal nor the command to copy', () => {
  const attack = "\x1b[2J$(touch x)'\n`x`\u202e"
  const options = [{ label: attack, description: attack }]
  const questions = [{ question: attack, header: attack, options }]
  const part = { what: attack, verdict: 'ask', why: attack } as const
  const common = { ...asked, tool: attack, args: { [attack]: attack } }
  const screen = shown([
    { ...common, type: 'question', number: 1, key: 'turn/0/call/0/question', questions },
    {
      ...common,
      type: 'approval',
      number: 2,
      key: 'k',
      parts: [part],
      unprinted: attack,
      suggestions: [{ what: attack, rule: attack }],
    },
  ])
  // oxlint-disable-next-line no-control-regex
  expect(screen).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
  const commands = screen.split('\n').filter((line) => line.includes('toolglot'))
  expect(commands).toEqual([
    '   toolglot runs answer run-1 1',
    '   toolglot runs answer run-1 2 allow',
  ])
})

test('shows a notice if a command runs as written', () => {
  const part = { what: 'rm *', verdict: 'ask', why: 'no rule allows it' } as const
  const common = { ...asked, type: 'approval', number: 1, key: 'k', tool: 'Bash' } as const
  const request = { ...common, args: { command: 'rm *' }, parts: [part], suggestions: [] }
  expect(shown([{ ...request, runs: 'rm a' }])).not.toContain('Runs as')
  expect(shown([{ ...request, unprinted: 'defines a\nfunction' }])).toContain(
    '   Runs as written: defines a\\nfunction\n',
  )
})

test('shows an old request without reasons by its call', () => {
  const request = {
    ...asked,
    type: 'approval',
    number: 1,
    key: 'k',
    parts: [],
    suggestions: [],
  } as const
  expect(shown([{ ...request, tool: 'Write', args: { file_path: 'a.txt', content: 'a\n' } }])).toBe(
    [
      'run-1',
      '1  → Write a.txt',
      '   has waited 3 min',
      '   toolglot runs answer run-1 1 allow',
      '',
      'Or use deny. Without either, the command shows the whole call and asks.',
      '',
    ].join('\n'),
  )
})
