import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { colorsOf } from '../terminal.ts'
import { approveAtKeyboard, readAnswer, readNetwork } from './approve.ts'
import { readChoice } from './ask-questions.ts'
import { createPromptQueue } from './keyboard.ts'

describe('an approval', () => {
  test.each([
    ['y', { verdict: 'allow' }],
    [' YES ', { verdict: 'allow' }],
    ['n', { verdict: 'deny' }],
    ['no', { verdict: 'deny' }],
    ['n use npm', { verdict: 'deny', reason: 'The user says: use npm' }],
    ['No, not there', { verdict: 'deny', reason: 'The user says: not there' }],
    ['s', { verdict: 'deny', stop: true }],
    ['a', { verdict: 'allow', always: true }],
    ['', undefined],
    ['yes please do', undefined],
    ['nope', undefined],
    ['maybe', undefined],
  ])('%j', (text, answer) => {
    expect(readAnswer(text, true)).toEqual(answer)
  })

  test.each([
    ['Write', '+the change'],
    ['mcp__mail__send', '"content": "secret"'],
  ])('%s is shown with its effect, not its apparent arguments', async (name, expected) => {
    let shown = ''
    const show = (text: string): void => void (shown += text)
    const approve = approveAtKeyboard({
      keyboard: { ask: async () => 'y', show },
      colors: colorsOf(new PassThrough(), {}),
      columns: 80,
      tools: new Map([
        ['Write', { preview: async () => '@@ -1 +1 @@\n+the change' }],
        ['mcp__mail__send', {}],
      ]),
    })
    const part = { what: name, verdict: 'ask', why: 'no rule' } as const
    const args = { file_path: 'a.txt', content: 'secret' }
    const decision = { ...part, parts: [part], call: { name, args } }
    const request = { run: 'r', call: 'c', hash: 'h', decision }
    const asked = { ...request, always: [], suggestions: [], name, args }
    await approve(asked, new AbortController().signal)
    expect(shown).toContain(expected)
  })

  test('shows the command to run on demand', async () => {
    let shown = ''
    const show = (text: string): void => void (shown += text)
    const left = ['v', 'y']
    const approve = approveAtKeyboard({
      keyboard: {
        ask: async (question) => {
          if (left.length === 2) expect(shown).not.toContain('Runs as')
          expect(question).toContain('view the text to run')
          return left.shift()
        },
        show,
      },
      colors: colorsOf(new PassThrough(), {}),
      columns: 80,
      tools: new Map(),
    })
    const part = { what: 'rm a.log', verdict: 'ask', why: 'no rule' } as const
    const call = { name: 'Bash', args: { command: 'rm *.log' } }
    const decision = { ...part, parts: [part], call, runs: "'rm' 'a.log'\n'ls' '\u202e'" }
    const request = { run: 'r', call: 'c', hash: 'h', decision, always: [], suggestions: [] }
    const { signal } = new AbortController()
    expect(await approve({ ...request, ...call }, signal)).toEqual({ verdict: 'allow' })
    expect(shown).toContain("  Runs as:\n    'rm' 'a.log'\n    'ls' '\\u202e'\n")
  })

  test.each([
    ['w', 'once'],
    [' With ', 'once'],
    ['w example.org', undefined],
    ['h', ['example.org']],
    ['h a.example, b.example', ['a.example', 'b.example']],
    ['h https://a.example', undefined],
    ['y', undefined],
  ])('%j for network access', (text, answer) => {
    expect(readNetwork(text, ['example.org'])).toEqual(answer)
  })

  test.each([
    [['w'], { verdict: 'allow', network: 'once' }],
    [['h', 'f'], { verdict: 'allow', network: { hosts: ['example.org'], always: 'folder' } }],
    [['h b.example', 'r'], { verdict: 'allow', network: { hosts: ['b.example'], always: 'run' } }],
    [['h', 'no', 'y'], { verdict: 'allow' }],
  ])('a command without network can get access: %j', async (lines, answer) => {
    let shown = ''
    const left = [...lines]
    const approve = approveAtKeyboard({
      keyboard: { ask: async () => left.shift(), show: (text) => void (shown += text) },
      colors: colorsOf(new PassThrough(), {}),
      columns: 80,
      tools: new Map(),
      stores: ['folder', 'user'],
    })
    const part = { what: 'npm install', verdict: 'ask', why: 'no rule' } as const
    const call = { name: 'Bash', args: { command: 'npm install' } }
    const decision = { ...part, parts: [part], call }
    const network = { reaches: [], suggested: ['example.org'] }
    const request = { run: 'r', call: 'c', hash: 'h', decision, always: [], suggestions: [] }
    const { signal } = new AbortController()
    expect(await approve({ ...request, ...call, network }, signal)).toEqual(answer)
    expect(shown).toContain('Network: none (blocked by the sandbox)')
    expect(shown).toContain('example.org')
  })

  test.each([
    ['u', { verdict: 'allow', always: 'user' }],
    [' User ', { verdict: 'allow', always: 'user' }],
    ['f', { verdict: 'allow', always: 'folder' }],
    ['folder', { verdict: 'allow', always: 'folder' }],
    ['a', { verdict: 'allow', always: true }],
    ['y', { verdict: 'allow' }],
    ['s', { verdict: 'deny', stop: true }],
    ['n u', { verdict: 'deny', reason: 'The user says: u' }],
    ['uf', undefined],
  ])('%j, if rules can be saved', (text, answer) => {
    expect(readAnswer(text, true, ['folder', 'user'])).toEqual(answer)
  })

  test('rules are saved only where that is possible', () => {
    for (const text of ['u', 'f']) {
      expect(readAnswer(text, true)).toBeUndefined()
      expect(readAnswer(text, false, ['folder', 'user'])).toBeUndefined()
    }
    expect(readAnswer('f', true, ['user'])).toBeUndefined()
  })

  test('offers all possible answers', async () => {
    const part = { what: 'make', verdict: 'ask', why: 'no rule' } as const
    const decision = { ...part, parts: [part], call: { name: 'Bash', args: {} } }
    const request = { run: 'r', call: 'c', hash: 'h', decision, name: 'Bash', args: {} }
    const answered = async (
      rules: readonly string[],
      stores: readonly ('user' | 'folder')[],
    ): Promise<string> => {
      let shown = ''
      const lines = ['?', 'y']
      const approve = approveAtKeyboard({
        keyboard: {
          ask: async (question) => {
            shown += `${question}\n`
            return lines.shift()
          },
          show: (text) => void (shown += text),
        },
        colors: colorsOf(new PassThrough(), {}),
        columns: 80,
        stores,
        tools: new Map(),
      })
      const suggestions = rules.map((rule) => ({ what: 'make', rule }))
      await approve({ ...request, always: rules, suggestions }, new AbortController().signal)
      return shown
    }
    const all = await answered(['Bash(make)'], ['folder', 'user'])
    expect(all).toContain('  Always: a in this run, f in this folder, u in all folders\n')
    expect(all).toContain('Run it? yes, no (reason optional), always, stop')
    expect(all).toContain('Please type y, n, a, f, u or s,')
    const some = await answered(['Bash(make)'], [])
    expect(some).toContain('  Always: a in this run\n')
    expect(some).toContain('Please type y, n, a or s,')
    const none = await answered([], ['folder', 'user'])
    expect(none).not.toMatch(/always/i)
    expect(none).toContain('Please type y, n or s,')
  })

  test('always is accepted only if there is a rule', () => {
    expect(readAnswer('a', false)).toBeUndefined()
  })
})

describe('a choice', () => {
  const options = ['red', 'green', 'blue'].map((label) => ({ label, description: '' }))
  test.each([
    ['2', false, 'green'],
    ['4', false, 'other'],
    ['5', false, undefined],
    ['0', false, undefined],
    ['', false, undefined],
    ['1 2', false, undefined],
    ['something else', false, 'something else'],
    ['1, 3', true, ['red', 'blue']],
    ['2 2', true, ['green']],
    ['1 9', true, undefined],
    ['mine', true, ['mine']],
  ])('%j (several: %s)', (text, multiSelect, chosen) => {
    const read = readChoice(text, { options, multiSelect })
    expect(typeof read === 'object' ? read.answer : read).toEqual(chosen)
  })
})

test('asks one question at a time, each after its event has been shown', async () => {
  const promptQueue = createPromptQueue()
  const log: string[] = []
  const ask = (name: string): Promise<void> =>
    promptQueue.enqueue(name, async () => {
      log.push(`${name}?`)
      await Promise.resolve()
      log.push(`${name}!`)
    })
  const both = [ask('one'), ask('two')]
  await promptQueue.idle()
  expect(log).toEqual([])
  promptQueue.markShown('two')
  promptQueue.markShown('one')
  await Promise.all(both)
  await promptQueue.idle()
  expect(log).toEqual(['two?', 'two!', 'one?', 'one!'])
})
