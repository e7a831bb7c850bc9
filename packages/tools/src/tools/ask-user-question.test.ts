import { type Ask, type Question, ToolError, Unanswered } from '@toolglot/agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contextOf } from '../../test/tree.ts'
import { scriptedAsk } from '../host/ask.ts'
import { askUserQuestionTool } from './ask-user-question.ts'

const database: Question = {
  question: 'Which database should we use?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL', description: 'Relational' },
    { label: 'Redis', description: 'In memory' },
  ],
}
const features: Question = {
  question: 'Which features?',
  header: 'Features',
  multiSelect: true,
  options: ['Auth', 'Search', 'Export'].map((label) => ({ label, description: `${label}.` })),
}

async function ask(ask: Ask | undefined, questions: readonly Question[] = [database]) {
  const tool = askUserQuestionTool(ask ? { ask } : {}, { timeout: 200 })
  return await tool.execute({ questions }, contextOf())
}

describe('AskUserQuestion', () => {
  test('keys answers by question, with a list for several', async () => {
    const answers = { [database.question]: 'Redis', [features.question]: ['Auth', 'Export'] }
    expect(await ask(scriptedAsk(answers), [database, features])).toEqual({ answers })
    const one = { [features.question]: 'Auth' }
    expect(await ask(scriptedAsk(one), [features])).toEqual({
      answers: { [features.question]: ['Auth'] },
    })
  })

  test('accepts a free-text answer', async () => {
    const answers = { [database.question]: 'SQLite, please' }
    expect(await ask(scriptedAsk(answers))).toEqual({ answers })
  })

  test('reports unanswered questions', async () => {
    const result = await ask(
      scriptedAsk({ [database.question]: 'Redis', [features.question]: [] }),
      [database, features],
    )
    expect(result).toEqual({
      answers: { [database.question]: 'Redis' },
      unanswered: [features.question],
    })
    expect(askUserQuestionTool({}).show!(result, { questions: [] })).toBe(
      'Which database should we use?\n→ Redis\nWhich features?\n(not answered)',
    )
  })

  test('accepts a question named like an object property', async () => {
    const odd = { ...database, question: '__proto__' }
    const { answers } = await ask(scriptedAsk(JSON.parse('{"__proto__": "Redis"}') as {}), [odd])
    expect(Object.entries(answers)).toEqual([['__proto__', 'Redis']])
  })

  test.each([
    ['a user who declines', scriptedAsk(new Unanswered()), 'permission_denied', 'denied_by_user'],
    ['no answers at all', scriptedAsk({}), 'permission_denied', 'denied_by_user'],
    [
      'an empty answer',
      scriptedAsk({ [database.question]: ' ' }),
      'permission_denied',
      'denied_by_user',
    ],
    ['nobody to ask', undefined, 'execution_failed', 'nobody_to_ask'],
    ['nobody answering in time', scriptedAsk(), 'timeout', 'no_answer'],
  ] as const)('%s', async (_what, person, errorType, code) => {
    const failure = await ask(person).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ToolError)
    expect(failure).toMatchObject({ errorType, details: { code } })
  })

  test('stops when its signal is aborted', async () => {
    const controller = new AbortController()
    const tool = askUserQuestionTool({ ask: scriptedAsk() })
    const running = tool.execute(
      { questions: [database] },
      contextOf({ signal: controller.signal }),
    )
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })

  test('validates questions', () => {
    const accepts = (questions: unknown, strict = true) =>
      (askUserQuestionTool({}, { strict }).parameters as z.ZodType).safeParse({ questions }).success
    expect(accepts([database, features])).toBe(true)
    const four = ['a', 'b', 'c', 'd'].map((label) => ({ label, description: '' }))
    expect(accepts([{ ...database, header: 'x'.repeat(12), options: four }])).toBe(true)
    const refused = [
      { ...database, header: 'x'.repeat(13) },
      { ...database, options: four.slice(0, 1) },
      { ...database, options: [...four, { label: 'e', description: '' }] },
    ]
    for (const question of refused) {
      expect(accepts([question])).toBe(false)
      expect(accepts([question], false)).toBe(true)
    }
    expect(accepts([])).toBe(false)
    expect(
      accepts(Array.from({ length: 5 }, (_, at) => ({ ...database, question: `${at}` }))),
    ).toBe(false)
    expect(accepts([database, database])).toBe(false)
    expect(accepts([{ ...database, options: [four[0], four[0]] }])).toBe(false)
    expect(accepts([{ ...database, more: 1 }])).toBe(false)
  })
})
