import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { colorsOf } from '../terminal.ts'
import { approveAtKeyboard, readAnswer } from './approve.ts'
import { readChoice } from './ask-questions.ts'
import { createPromptQueue } from './prompt-queue.ts'

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
  ])('%s is shown by what it does, not by what its arguments look like', async (name, expected) => {
    let shown = ''
    const show = (text: string): void => void (shown += text)
    const approve = approveAtKeyboard({
      keyboard: { ask: async () => 'y', show },
      colors: colorsOf(new PassThrough(), {}),
      columns: 80,
      preview: async () => '@@ -1 +1 @@\n+the change',
    })
    const part = { what: name, verdict: 'ask', why: 'no rule' } as const
    const args = { file_path: 'a.txt', content: 'secret' }
    const decision = { ...part, parts: [part], call: { name, args } }
    const request = { run: 'r', call: 'c', hash: 'h', decision }
    await approve({ ...request, always: [], name, args }, new AbortController().signal)
    expect(shown).toContain(expected)
  })

  test('always is accepted only if there is a rule for it', () => {
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

test('asks one question at a time, each after what it is about has been shown', async () => {
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
