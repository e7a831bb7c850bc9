import { expect, test } from 'vitest'
import { plainFileSystem as fileSystem } from '../../test/plain-file-system.ts'
import { decide } from '../decide/decide.ts'
import { type ReadRulesOptions, readRules, type RuleTexts } from './read-rules.ts'

test.each<[string, unknown, string, string]>([
  ['an unknown list', { denny: ['Read(.env)'] }, 'denny', 'Did you mean deny?'],
  ['a setting that is not a list of rules', { mode: 'plan' }, 'mode', 'Unknown list "mode".'],
  ['one rule', { allow: 'Bash(ls)' }, 'Bash(ls)', 'allow must be a list: [Bash(ls)].'],
  ['null for a list', { deny: null }, 'null', 'deny must be a list'],
  [
    'a list',
    ['Bash(ls)'],
    '["Bash(ls)"]',
    'permissions must be lists of rules: { allow, ask, deny }.',
  ],
  ['nothing', undefined, 'undefined', 'permissions must be lists of rules: { allow, ask, deny }.'],
])('%s is a problem, and everything is denied', async (_, texts, text, problem) => {
  const read = readRules(texts as RuleTexts)
  expect(read.problems).toMatchObject([
    { text, problem: expect.stringContaining(problem) as unknown, source: { scope: 'user' } },
  ])
  const call = { name: 'Read', args: { file_path: 'a.txt' } }
  expect((await decide(call, read, fileSystem)).verdict).toBe('deny')
  expect((await decide(call, readRules({}), fileSystem)).verdict).toBe('allow')
})

test('an undefined list is empty', () => {
  expect(readRules({ allow: undefined } as unknown as RuleTexts)).toEqual({
    rules: [],
    problems: [],
  })
})

test('the result includes the tools, so it can be passed to decide', async () => {
  const tools = new Map([['deploy', { runs: 'script' }]])
  const permissions = readRules(
    { allow: ['deploy', 'Bash(make:*)'], deny: ['Read(.env)'] },
    { tools },
  )
  const deploy = async (script: string) =>
    (await decide({ name: 'deploy', args: { script } }, permissions, fileSystem)).verdict
  expect(permissions.tools).toBe(tools)
  expect(await deploy('make release')).toBe('allow')
  expect(await deploy('cat .env')).toBe('deny')
})

test('tools in an object instead of a Map are a problem', () => {
  const tools = { deploy: { runs: 'script' } } as unknown as ReadRulesOptions['tools']
  expect(readRules({}, { tools }).problems).toMatchObject([
    { text: 'tools', problem: 'tools must be a Map of tools by name.' },
  ])
})

test('a rule for an unknown tool lists the tools of this run', () => {
  const tools = new Map([['send_mail', {}]])
  const problemOf = (text: string): string | undefined =>
    readRules({ allow: [text] }, { tools }).problems[0]?.problem
  expect(problemOf('paint')).toMatch(/^Unknown tool "paint". Known tools: send_mail, /)
  expect(problemOf('send_mial')).toBe('Unknown tool "send_mial". Did you mean send_mail?')
})
