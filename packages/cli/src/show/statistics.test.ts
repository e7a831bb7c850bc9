import { expect, test } from 'vitest'
import { addStatistics, type JournalRecord, runStatistics } from '@toolglot/agent/journal'
import { showStatistics } from './statistics.ts'

const plain = { bold: String, dim: String }

function shown(...records: (readonly [key: string, value: unknown])[]): string {
  const all = records.map(([key, value]): JournalRecord => ({
    key,
    kind: 'value',
    value,
    time: Date.UTC(2026, 0, 1),
  }))
  return showStatistics(runStatistics(all), { colors: plain, columns: 80 })
}

const setup = ['run', { model: 'tiny', protocol: 'hermes' }] as const

function turn(name: string, usage: object, more: object = {}): object {
  const call = { type: 'call', call: { name, repairs: ['unquoted-key'] } }
  return { segments: [call, { type: 'malformed' }], usage, ...more }
}

test('shows figures by tool, model and protocol', () => {
  const usage = { input: 12_345, output: 999, cached: 2_000_000, cost: 0.5, estimated: true }
  const failure = { error_type: 'timeout' }
  expect(
    shown(
      setup,
      ['turn/0', turn('look', usage, { firstToken: 100, duration: 2000 })],
      ['turn/0/call/0', { status: 'timeout', failure, duration: 180_000 }],
      ['turn/1', turn('put', { input: 1, output: 1 })],
      ['turn/1/call/0', { status: 'success', duration: 3 }],
      ['turn/2', turn('put', { input: 1, output: 1 })],
      ['turn/2/call/0', { status: 'denied', duration: 3 }],
      ['end/0', { reason: 'loop' }],
    ),
  ).toBe(
    `1 run: 1 loop

tool  calls  failed  denied  median  longest  errors
put       2               1    3 ms     3 ms
look      1       1           3 min    3 min  1 timeout

model  turns   input  cached  output    cost   first  reply
tiny       3  ~12.3k    2.0M    1001  0.5000  100 ms  2.0 s

protocol  turns  calls  malformed  repaired  repairs
hermes        3      3          3         3  3 unquoted-key
`,
  )
})

test('shows names on one line, without control characters', () => {
  const text = shown(setup, ['turn/0', turn('a\u001B[31m\nb', {})])
  expect(text).not.toContain('\u001B')
  expect(text.split('\n').find((line) => line.startsWith('a'))).toContain('b')
})

test('cuts long lists, and reports that', () => {
  const turns = Array.from(
    { length: 30 },
    (_, at) => [`turn/${at}`, turn(`tool-${at}`, {})] as const,
  )
  expect(shown(setup, ...turns)).toContain('\nand 10 more: --json shows all\n')
})

test('reports that there are no runs', () => {
  const nothing = addStatistics([])
  expect(showStatistics(nothing, { colors: plain, columns: 80 })).toBe(
    'There are no runs to count.\n',
  )
})
