import { JournalError } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { describe, expect, test } from 'vitest'
import { entry, report } from '../../test/access-entries.ts'
import { unknownModel } from '../gateway/models.ts'
import type { AccessEntry } from './access-entry.ts'
import { createLog } from './log.ts'

function logged(format: 'text' | 'json', ...entries: AccessEntry[]): string {
  let text = ''
  const log = createLog({ format, write: (more) => (text += more) })
  for (const each of entries) log.observe(each)
  return text
}

const escape = '\x1b[2J\u202e\nforged line'
const token = 'Ab0-'.repeat(11).slice(1)
const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'

describe('text', () => {
  const line = (...entries: AccessEntry[]): string => logged('text', ...entries)

  test('has one line per request', () => {
    expect(line(entry())).toBe(
      '12:01:05 200 POST /v1/chat/completions 1.2 s  laptop  qwen3:8b (hermes)  2 calls, 1 repair  812 → 95 tokens\n',
    )
    const plain = { token: undefined, gateway: undefined, duration: 3.4 }
    expect(line(entry({ ...plain, method: 'GET', route: '/v1/models' }))).toBe(
      '12:01:05 200 GET /v1/models 3 ms\n',
    )
  })

  test('contains the path if it differs from the route', () => {
    const [first, second] = line(
      entry({ status: 404, route: 'other', path: '/chat/completions', error: 'not_found' }),
    ).split('\n')
    expect(first).toMatch(/^12:01:05 404 POST \/chat\/completions 1\.2 s/)
    expect(second).toContain('their base URL ends in /v1')
    const odd = entry({ route: 'other', path: `/${escape}` })
    for (const format of ['text', 'json'] as const) {
      const text = logged(format, odd)
      expect(text).toMatch(/\/\\{1,2}x1b\[2J\\{1,2}u202e\\{1,2}nforged line/)
      expect(text.trimEnd()).not.toMatch(/\p{C}/u)
    }
  })

  test('contains files of the page only if they failed to load', () => {
    const file = { token: undefined, gateway: undefined, method: 'GET', route: '/assets/:file' }
    expect(line(entry(file), entry({ ...file, status: 304 }))).toBe('')
    expect(line(entry({ ...file, status: 404, error: 'not_found' }))).toContain('404 GET /assets')
    expect(logged('json', entry(file))).toContain('/assets/:file')
  })

  test('marks unusual requests', () => {
    const usage = { input: 10, output: 1, estimated: true } as const
    const odd = report({
      protocol: undefined,
      outcome: 'cut_off',
      calls: 1,
      repairs: ['a', 'b'],
      malformed: 1,
      retries: 2,
      usage,
      notes: ['tools-compact'],
    })
    expect(line(entry({ gateway: odd }))).toContain(
      '  qwen3:8b  1 call, 2 repairs, 1 malformed, 2 retries, cut off  ~10 → ~1 tokens  tools-compact\n',
    )
    expect(line(entry({ aborted: true }))).toContain('tokens  client gone\n')
    const aborted = report({ outcome: 'aborted' })
    for (const [cut, said] of [
      ['stopped', 'cut off: the server stopped'],
      ['stalled', 'cut off: the client did not read'],
      ['failed', 'cut off: an error'],
    ] as const) {
      const ended = entry({ aborted: true, cut, gateway: aborted })
      expect(line(ended)).toContain(`tokens  ${said}\n`)
      expect(line(ended)).not.toContain('client gone')
      expect(JSON.parse(logged('json', ended))).toMatchObject({ aborted: true, cut })
    }
  })

  test('has a second line with the problem and the advice', () => {
    const refused = entry({
      status: 403,
      route: 'other',
      error: 'host_not_allowed',
      gateway: undefined,
    })
    expect(line(refused).split('\n')[1]).toBe(
      '         host_not_allowed – if this name is yours: --allow-host NAME, or server.hosts in your settings',
    )
    const failed = report({
      outcome: 'error',
      error: 'upstream_unreachable',
      message: 'Ollama is not running: start it with ollama serve.',
    })
    expect(line(entry({ status: 502, error: 'upstream_unreachable', gateway: failed }))).toMatch(
      /^12:01:05 502 .*\n {9}upstream_unreachable: Ollama is not running: start it with ollama serve\.\n$/,
    )
  })

  test.each([
    ['scope_insufficient', 'the token lacks a scope'],
    [unknownModel('x').code, 'list models with toolglot models'],
    ['constructor', ''],
  ])('gives advice on %s', (error, advice) => {
    const [, problem = ''] = line(entry({ error, gateway: undefined })).split('\n')
    expect(problem).toMatch(advice === '' ? /^ {9}constructor$/ : new RegExp(` – ${advice}`))
  })

  test('keeps foreign text on its line, short and without secrets', () => {
    const gateway = report({
      model: `m${escape}`,
      protocol: `p${escape}`,
      error: `e${escape}`,
      message: `said ${secret} ${escape} ${'long '.repeat(1000)}`,
      notes: [`dropped:${escape}`],
    })
    const text = line(entry({ method: `M${escape}`, route: `/${escape}`, token: escape, gateway }))
    expect(text.split('\n')).toHaveLength(3)
    expect(text).not.toMatch(/[^\P{C}\n]/u)
    expect(text).not.toContain(secret)
    expect(text.length).toBeLessThan(1500)
  })
})

test.each(['text', 'json'] as const)(
  'hides a token sent as the model in the form of %s',
  (format) => {
    const gateway = report({ model: token, message: `There is no model "${token}".`, error: 'x' })
    expect(logged(format, entry({ gateway }))).not.toContain(token)
  },
)

describe('json', () => {
  test('has one object per line', () => {
    const [first, second] = logged('json', entry(), entry({ status: 502, error: 'upstream_error' }))
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as Record<string, unknown>)
    expect(first).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      began: new Date(2026, 0, 2, 12, 1, 5).toISOString(),
      message: 'request',
      method: 'POST',
      route: '/v1/chat/completions',
      status: 200,
      duration: 1200,
      bytes: 1000,
      token: 'laptop',
      gateway: {
        model: 'qwen3:8b',
        protocol: 'hermes',
        stream: true,
        outcome: 'calls',
        calls: 2,
        repairs: ['trailing-comma'],
        malformed: 0,
        retries: 0,
        inputTokens: 812,
        outputTokens: 95,
        firstByte: 300,
        notes: [],
      },
    })
    expect(second).toMatchObject({ level: 'error', status: 502, error: 'upstream_error' })
    expect(JSON.parse(logged('json', entry({ status: 404 })))).toMatchObject({ level: 'warn' })
  })

  test('contains only listed members, no secrets and no control characters', () => {
    const gateway = report({ model: escape, message: `key ${secret}`, notes: [escape] })
    const odd = { ...entry({ token: escape, gateway }), headers: 'Bearer x', body: 'whole' }
    const text = logged('json', odd)
    expect(text.split('\n')).toHaveLength(2)
    expect(JSON.stringify(JSON.parse(text))).not.toMatch(/Bearer|whole|\\u001b|\u202e/)
    expect(text).not.toContain(secret)
  })
})

test.each([
  ['note', 'text', ''],
  ['note', 'json', 'info'],
  ['warning', 'text', 'warning: '],
  ['warning', 'json', 'warn'],
] as const)('has a %s as %s', (kind, format, marked) => {
  let text = ''
  createLog({ format, write: (more) => (text += more) })[kind](`The demo script answers.${escape}`)
  const said = format === 'json' ? (JSON.parse(text) as Record<string, string>) : undefined
  expect(said?.['message'] ?? text).toContain('The demo script answers.\\x1b[2J')
  if (said) expect(said['level']).toBe(marked)
  else expect(text.startsWith(`${marked}The demo`)).toBe(true)
  expect(text.trimEnd()).not.toMatch(/\p{C}/u)
})

test.each(['text', 'json'] as const)('has a failure as %s, on one line', (format) => {
  let text = ''
  createLog({ format, write: (more) => (text += more) }).failure(new Error(`key ${secret}`))
  expect(text).toMatch(/Error: key .* at .*log\.test\.ts/)
  expect(text.split('\n')).toHaveLength(2)
  expect(text).not.toContain(secret)
})

test.each([
  new JournalError('full', 'There is no space left for the journal.'),
  new UserError('data', 'There is no space left for the journal.'),
  Object.assign(new Error('There is no space left for the journal.'), { syscall: 'write' }),
])('has %s as one sentence, without its stack', (error) => {
  let text = ''
  createLog({ format: 'text', write: (more) => (text += more) }).failure(error)
  expect(text).toMatch(/^error: There is no space left for the journal\.?\n$/)
})
