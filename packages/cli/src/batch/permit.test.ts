import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { answerPermit } from './permit.ts'

/** Pairs of equivalent calls: by an alias and by the tool's own name. */
const pairs = [
  ['read_file', { path: '.env' }, 'Read', { file_path: '.env' }],
  ['write_file', { path: 'a', content: '' }, 'Write', { file_path: 'a', content: '' }],
  ['list_files', { directory: 'src' }, 'Glob', { path: 'src', pattern: '*' }],
  ['search_code', { query: 'x' }, 'Grep', { pattern: 'x' }],
  ['bash', { command: 'sudo ls' }, 'Bash', { command: 'sudo ls' }],
] as const

test('treats a call or a rule with an alias like one with the tool', async () => {
  const rule = fc.constantFrom(
    ...['Read(.env)', 'read_file', 'Write', 'write_file(a)', 'Glob(src)', 'list_files(src)'],
    ...['Grep', 'search_code', 'Bash(sudo:*)', 'bash(sudo:*)', 'bash'],
  )
  const list = fc.uniqueArray(rule, { maxLength: 3 })
  const rules = fc.record({ allow: list, ask: list, deny: list })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pairs),
      rules,
      async ([alias, aliasArgs, tool, args], texts) => {
        const answer = async (name: string, given: object): Promise<object> => {
          const request = { id: 1, rules: texts, cwd: '/nowhere', tool: name, args: given }
          return answerPermit(request, JSON.stringify(request))
        }
        expect(await answer(alias, aliasArgs)).toEqual(await answer(tool, args))
      },
    ),
  )
})

test('includes the command to run, or the reason why it is missing', async () => {
  const cwd = folderOf()
  for (const name of ['a.txt', 'b c.txt']) writeFileSync(join(cwd, name), '')
  const request = { id: 1, rules: { allow: ['Bash(cat:*)'] }, cwd, tool: 'Bash' }
  const answerTo = async (command: string): Promise<object> => {
    const whole = { ...request, args: { command } }
    return answerPermit(whole, JSON.stringify(whole))
  }
  expect(await answerTo('cat *.txt')).toMatchObject({
    decision: 'allow',
    runs: "'cat' 'a.txt' 'b c.txt'",
  })
  expect(await answerTo('f() { cat a.txt; }')).toMatchObject({
    decision: 'ask',
    runs: undefined,
    unprinted: 'defines a function',
    code: { anything: true },
  })
})
