import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { colorsOf } from '../terminal.ts'
import { approveBy, readAnswer } from './approve.ts'
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
  ])('%j', (text, said) => {
    expect(readAnswer(text, true)).toEqual(said)
  })

  test.each([
    ['Write', '+the change'],
    ['mcp__mail__send', '"content": "secret"'],
  ])('%s is told by what it does, not by what its arguments look like', async (name, told) => {
    let shown = ''
    const show = (text: string): void => void (shown += text)
    const approve = approveBy({
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
    expect(shown).toContain(told)
  })

  test('always counts only where a rule can say it', () => {
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

test('nobody is asked before they have seen what it is about, and one after the other', async () => {
  const promptQueue = createPromptQueue()
  const said: string[] = []
  const ask = (name: string): Promise<void> =>
    promptQueue.after(name, async () => {
      said.push(`${name}?`)
      await Promise.resolve()
      said.push(`${name}!`)
    })
  const both = [ask('one'), ask('two')]
  await promptQueue.quiet()
  expect(said).toEqual([])
  promptQueue.seen('two')
  promptQueue.seen('one')
  await Promise.all(both)
  await promptQueue.quiet()
  expect(said).toEqual(['two?', 'two!', 'one?', 'one!'])
})
