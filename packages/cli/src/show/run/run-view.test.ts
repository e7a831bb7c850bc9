import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { RunEventBody, ToolOutcome } from '@toolglot/agent'
import { createRunView, type ViewOptions } from './run-view.ts'

/** The output for these events on a screen of 60 columns. */
function shown(events: readonly RunEventBody[], options: Partial<ViewOptions> = {}): string {
  const screen = Object.assign(new PassThrough(), { columns: 60 })
  const view = createRunView({ text: screen, notes: screen, env: {}, ...options })
  for (const [seq, event] of events.entries()) view.show({ ...event, run: 'r', seq, time: 0 })
  view.endLine()
  return String(screen.read() ?? '')
}

const start = (call: string, name: string, args: Record<string, unknown>): RunEventBody => ({
  type: 'tool-start',
  call,
  name,
  args,
})
const end = (call: string, name: string, outcome: Partial<ToolOutcome>): RunEventBody => ({
  type: 'tool-end',
  call,
  name,
  outcome: { status: 'success', text: '', started: 1, duration: 1, ...outcome },
})
const text = (...deltas: string[]): RunEventBody[] =>
  deltas.map((delta) => ({ type: 'text', delta, at: 0 }))
const output = (call: string, written: string): RunEventBody => ({
  type: 'tool-progress',
  call,
  update: { type: 'output', stream: 'stdout', text: written },
})

describe('text', () => {
  test('is shown unchanged, without whitespace around it', () => {
    expect(shown(text('\n\nHel', 'lo', '\n', '\n', 'you', '\n\n'))).toBe('Hello\n\nyou\n')
  })

  test('joins halves of a surrogate pair', () => {
    expect(shown(text('\ud83d', '\ude00\r', '\nok'))).toBe('😀\nok\n')
  })

  test('cannot control the terminal', () => {
    expect(shown(text('a\x1b', '[2Jb\x07'))).toBe('a\\x1b[2Jb\\x07\n')
  })
})

test('the output of a command cannot control the terminal, neither its first lines nor its last', () => {
  const screen = Object.assign(new PassThrough(), { columns: 60, isTTY: true })
  const view = createRunView({ text: screen, notes: screen, env: { NO_COLOR: '1' } })
  const attack = `${'\x1b]0;first\x07\n'.repeat(20)}\x1b]52;c;bGFzdA==\x07\n`
  for (const event of [start('1', 'Bash', { command: 'x' }), output('1', attack)])
    view.show({ ...event, run: 'r', seq: 0, time: 0 })
  const written = String(screen.read())
  view.endLine()
  expect(written).toContain('\\x1b]52;')
  expect(written).not.toContain('\x1b]')
})

describe('calls', () => {
  test('are shown as one line each, with the start of their result', () => {
    const events = [
      ...text('Let me look.\n'),
      start('1', 'Read', { file_path: 'a.ts', limit: 5 }),
      end('1', 'Read', { text: 'one\ntwo\nthree\nfour\nfive\nsix' }),
    ]
    expect(shown(events)).toBe(
      'Let me look.\n\n→ Read a.ts  limit: 5\n  one\n  two\n  three\n  four\n  … 2 more lines\n',
    )
  })

  test('that run concurrently are shown one after the other', () => {
    const events = [
      start('1', 'Read', { file_path: 'a' }),
      start('2', 'Read', { file_path: 'b' }),
      end('2', 'Read', { text: 'B' }),
      end('1', 'Read', { text: 'A' }),
    ]
    expect(shown(events)).toBe('→ Read b\n  B\n→ Read a\n  A\n')
  })

  test('that change a file are shown as a diff', () => {
    const diff = '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-old\n+new'
    const events = [
      start('1', 'Edit', { file_path: 'a', old_string: 'o\n', new_string: 'n\n' }),
      end('1', 'Edit', { text: `Changed 1 place in a.\n${diff}`, data: { diff } }),
    ]
    expect(shown(events)).toBe(
      '→ Edit a\n  Changed 1 place in a.\n  @@ -1,1 +1,1 @@\n  -old\n  +new\n',
    )
  })

  test('show the first lines of output as it arrives', () => {
    const lines = Array.from({ length: 15 }, (_, at) => `line ${at}\n`)
    const events = [
      start('1', 'Bash', { command: 'make' }),
      ...lines.map((line) => output('1', line)),
      end('1', 'Bash', { text: lines.join(''), data: { exit_code: 2 } }),
    ]
    const screen = shown(events)
    expect(screen).toMatch(/^→ Bash make\n {2}│ line 0\n/)
    expect(screen).toMatch(/ {2}│ line 11\n {2}… 3 more lines\n {2}exit code 2\n$/)
  })

  test('that were denied or malformed are reported', () => {
    const events = [
      start('1', 'Bash', { command: 'x' }),
      end('1', 'Bash', { status: 'denied', text: 'Not allowed.\nmore' }),
      { type: 'malformed', hint: 'expected }', problem: 'bad-json', raw: '{', span: [0, 1] },
    ] as unknown as RunEventBody[]
    expect(shown(events)).toBe(
      '→ Bash x\n  Not allowed.\n\n! a call could not be read: expected }\n',
    )
  })

  test('cannot control the terminal or leave their line through names and arguments', () => {
    const screen = shown([
      start('1', 'Re\x1b[2Jad', { file_path: `a\n\x1b]0;t\x07${'中'.repeat(200)}` }),
      end('1', 'x', { text: '\x1b[31mred\r\x1b[A' }),
    ])
    // oxlint-disable-next-line no-control-regex
    expect(screen).not.toMatch(/[\x00-\x08\x0b-\x1f]/)
    expect(screen.split('\n')).toHaveLength(3)
  })
})

test('the status line cannot control the terminal', () => {
  const screen = Object.assign(new PassThrough(), { columns: 60, isTTY: true })
  const view = createRunView({ text: screen, notes: screen, env: { NO_COLOR: '1' } })
  const attack = '\x1b[2J\x1b]0;t\x07'
  const events = [
    start('1', `Bash${attack}`, { command: attack }),
    ...Array.from({ length: 20 }, () => output('1', `${attack}\n`)),
    { type: 'tool-progress', call: '1', update: { type: 'note', text: attack } } as const,
    end('1', 'Bash', { text: attack }),
  ]
  for (const [seq, event] of events.entries()) view.show({ ...event, run: 'r', seq, time: 0 })
  view.endLine()
  const own = String(screen.read()).replaceAll('\r\x1b[K', '')
  // oxlint-disable-next-line no-control-regex
  expect(own).not.toMatch(/[\x00-\x08\x0b-\x1f]/)
  expect(own).toContain('\\x1b[2J')
})

test('shows todos as a checklist', () => {
  const todos = (['completed', 'in_progress', 'pending'] as const).map((status) => ({
    content: 'Do it',
    activeForm: 'Doing it',
    status,
  }))
  const events = [
    start('1', 'TodoWrite', { todos }),
    { type: 'todo', todos } as const,
    end('1', 'TodoWrite', { text: '…', data: { success: true, todos } }),
  ]
  expect(shown(events)).toBe('✓ Do it\n▸ Doing it\n○ Do it\n')
  expect(shown([events[0]!, events[2]!], { isReplay: true })).toBe('✓ Do it\n▸ Doing it\n○ Do it\n')
})

test('shows only text before a call with the notes if text goes to another screen', () => {
  const call = { id: '1', name: 'Read', args: {}, complete: true, repairs: [] }
  const events = [
    ...text('I look.'),
    { type: 'call-end', index: 0, call },
    ...text('The answer.'),
  ] as unknown as RunEventBody[]
  expect(shown(events, { text: undefined })).toBe('I look.\n')
})

test.each([
  ['```json\n{}\n```', 'none', 'in a code fence'],
  ['{"name": "Read"}', 'none', 'as bare JSON'],
  ['Action: Read', 'none', 'with labels such as Action:'],
  ['[TOOL_CALLS]Read[ARGS]{}', 'mistral', 'in the mistral format'],
  ['<Read></Read>', 'none', 'in another format'],
  ['<|tool_call|>[]', 'granite', 'in the granite format'],
])('reports a call in another dialect: %s', (raw, protocol, how) => {
  const call = { id: '1', name: 'Read', args: {}, complete: true, repairs: [], protocol, raw }
  const events = [
    { type: 'run-start', protocol: 'hermes' },
    { type: 'call-end', index: 0, call: { ...call, otherProtocol: true } },
    { type: 'call-end', index: 1, call },
  ] as unknown as RunEventBody[]
  const line = `! read a call of Read that was written ${how}, not in the hermes format\n`
  expect(shown(events)).toBe(line)
})

const bare = {
  id: '1',
  name: 'Read',
  args: {},
  complete: true,
  repairs: [],
  raw: '{"name": "Read"}',
}
const said = (
  format: string | undefined,
  call: object,
  options?: { text: undefined },
  before = '',
): string =>
  shown(
    [
      { type: 'run-start', protocol: format },
      ...text(before),
      { type: 'call-end', index: 0, call: { ...bare, ...call } },
    ] as unknown as RunEventBody[],
    options,
  )

test('reports a call without marks, or in a fence, unless the protocol allows it', () => {
  const markerless = { protocol: 'hermes', markerless: true }
  const start = '! read a call of Read that was written'
  expect(said('hermes', markerless)).toBe(`${start} as bare JSON, not in the hermes format\n`)
  expect(said(undefined, markerless)).toBe(`${start} as bare JSON, not by function calling\n`)
  expect(said('hermes', { ...markerless, fenced: true })).toBe(
    `${start} in a code fence, not in the hermes format\n`,
  )
  const llama = { protocol: 'llama3-json', markerless: true }
  expect(said('llama3-json', llama)).toBe('')
  expect(said('llama3-json', llama, undefined, 'So: ')).toContain(
    `${start} after text, not as the whole reply\n`,
  )
  expect(said('our-own', { protocol: 'our-own', markerless: true })).toBe('')
})

test('reports the format of a call after the text before it, even if the text goes to another screen', () => {
  const call = { protocol: 'hermes', markerless: true }
  for (const options of [undefined, { text: undefined }])
    expect(said('hermes', call, options, 'I look.')).toMatch(/^I look\.\n+! read a call/)
})

describe('a request to the user', () => {
  const args = { file_path: 'a.txt' }
  const part = { what: 'write a.txt', verdict: 'ask', why: 'no rule allows it' } as const
  const suggestions = [{ what: 'write a.txt', rule: 'Edit(a.txt)' }]
  const decision = { ...part, parts: [part], call: { name: 'Write', args } }
  const calls = ['1', '2'].map((id) => ({
    type: 'call-end',
    index: 0,
    call: { id, name: `Write${id}`, args, complete: true, repairs: [] },
  })) as unknown as RunEventBody[]
  const asks = (call: string): RunEventBody => ({
    type: 'approval-request',
    key: `turn/0/call/${call}/approval/0`,
    request: { run: 'r', call, hash: call, decision, always: ['Edit(a.txt)'], suggestions },
    name: 'Write',
    args,
  })
  const answers = (call: string, verdict: 'allow' | 'deny'): RunEventBody => ({
    type: 'approval',
    key: `turn/0/call/${call}/approval/0`,
    approval: { run: 'r', call, hash: call, verdict },
  })

  test('is shown if the approver is elsewhere, with each result below its call', () => {
    const events = [
      ...calls,
      asks('1'),
      asks('2'),
      answers('1', 'allow'),
      end('1', 'Write1', { text: 'Created.' }),
      answers('2', 'deny'),
      end('2', 'Write2', { status: 'denied', text: 'Not now.' }),
    ]
    const request = '  ? write a.txt\n    no rule allows it\n    always: Edit(a.txt)\n'
    expect(shown(events, { asksElsewhere: true })).toBe(
      `→ Write1 a.txt\n${request}→ Write2 a.txt\n${request}→ Write1 a.txt\n  Created.\n→ Write2 a.txt\n  Not now.\n`,
    )
  })

  test('includes the notice that a command runs as written', () => {
    const asked = asks('1')
    if (asked.type !== 'approval-request') throw new Error('expected a request')
    const written = { ...decision, unprinted: 'defines a function' }
    const events = [...calls, { ...asked, request: { ...asked.request, decision: written } }]
    expect(shown(events, { asksElsewhere: true })).toContain(
      '  Runs as written: defines a function\n',
    )
  })

  test('is one line in a replay', () => {
    const events = [...calls, asks('1'), end('1', 'Write1', { text: 'Created.' })]
    expect(shown(events, { isReplay: true })).toBe(
      '→ Write1 a.txt\n  asked: no rule allows it\n  Created.\n',
    )
  })

  test('is shown with the question at a keyboard, as is an answer from elsewhere', async () => {
    const screen = Object.assign(new PassThrough(), { columns: 60 })
    const view = createRunView({ text: screen, notes: screen, env: {} })
    const show = (event: RunEventBody): void => view.show({ ...event, run: 'r', seq: 0, time: 0 })
    for (const event of [...calls, asks('1'), asks('2')]) show(event)
    const asked = await view.ask('1', async () => 'yes')
    await expect(view.ask('2', () => Promise.reject(new Error('aborted')))).rejects.toThrow()
    show(answers('1', 'allow'))
    show(answers('2', 'deny'))
    expect(asked).toBe('yes')
    expect(String(screen.read())).toBe(
      '→ Write1 a.txt\n→ Write2 a.txt\n  (answered elsewhere: denied)\n',
    )
  })

  test('includes questions', () => {
    const options = [{ label: 'Tea', description: 'Calming' }]
    const question = { question: 'Which?', header: 'Drink', options }
    const event: RunEventBody = { type: 'question', key: 'k', call: '1', questions: [question] }
    expect(shown([event], { asksElsewhere: true })).toMatch(/^\? Drink {2}Which\?\n {2}1 {2}Tea/)
    expect(shown([event])).toBe('')
  })
})

test('shows prompts, except the one typed here', () => {
  const screen = Object.assign(new PassThrough(), { columns: 60 })
  const view = createRunView({ text: screen, notes: screen, env: {} })
  view.typed('Mine.')
  for (const content of ['Mine.', 'Sent.', 'Mine.'])
    view.show({ type: 'prompt', content, run: 'r', seq: 0, time: 0 })
  expect(String(screen.read())).toBe('› Sent.\n› Mine.\n')
})

test('shows the number of images in a prompt', () => {
  const prompts: RunEventBody[] = [
    { type: 'prompt', content: 'Look.', images: 1 },
    { type: 'prompt', content: '', images: 2 },
  ]
  expect(shown(prompts)).toBe('› Look.\n  [1 image]\n› [2 images]\n')
})

test('numbers turns in a replay, except the last one that requests an answer', () => {
  const turn = (number: number, said: string): RunEventBody[] => [
    { type: 'turn-start', turn: number },
    ...text(said),
  ]
  const events = [...turn(0, 'One.'), ...turn(1, 'Two.'), ...turn(-1, 'Last.')]
  expect(shown(events, { isReplay: true })).toBe('turn 0\nOne.\n\nturn 1\nTwo.\n\nLast.\n')
})

test('shows the part of a reply that was cut off in a replay', () => {
  const events: RunEventBody[] = [
    { type: 'run-end', reason: 'cancelled', unfinished: 'Half an ' } as RunEventBody,
  ]
  expect(shown(events, { isReplay: true })).toBe('a reply that was cut off\nHalf an\n')
  expect(shown([...text('Half an '), ...events])).toBe('Half an\n')
})

test('shows a tool that ended late with its result', () => {
  const events: RunEventBody[] = [
    ...text('Fine.'),
    {
      type: 'tool-late',
      call: '1',
      name: 'Ba\x1bsh',
      outcome: { status: 'success', text: 'done', started: 0, duration: 5 },
    },
  ]
  expect(shown(events)).toBe('Fine.\n\n→ Ba\\x1bsh ended late\n  done\n')
})

test('does not repeat a warning', () => {
  const events: RunEventBody[] = [
    start('1', 'Bash', { command: 'x' }),
    { type: 'warning', code: 'interrupted', message: 'It is unknown.' },
    end('1', 'Bash', { status: 'unknown', text: 'It is unknown.' }),
  ]
  expect(shown(events)).toBe('warning: It is unknown.\n')
})

test('shows all warnings of a result once and completely, even if its output was shown live', () => {
  const warnings = Array.from({ length: 6 }, (_, at) => `${'long '.repeat(20)}\x1b ${at}`)
  const ended = end('1', 'Bash', { text: ['out', ...warnings].join('\n'), data: { warnings } })
  const begun = start('1', 'Bash', { command: 'x' })
  for (const events of [
    [begun, ended],
    [begun, output('1', 'out\n'), ended],
  ]) {
    const screen = shown(events)
    for (const warning of warnings)
      expect(screen.split(`! ${warning.replace('\x1b', '\\x1b')}\n`)).toHaveLength(2)
    expect(screen.match(/long/g)).toHaveLength(6 * 20)
  }
})
