import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { household } from '../../../test/household.ts'
import { calling, talkingServer } from '../../../test/talking-server.ts'

test('what waits is listed, and the command that is shown answers it', async () => {
  const write = calling('Write', { file_path: 'a.txt', content: 'a.txt\n' })
  const { model } = await talkingServer(write, 'Written.')
  const { start, begin, cwd } = household()
  expect((await start(['runs', 'waiting'])).output).toBe('Nothing waits for an answer.\n')
  const run = begin(['run', '-m', model, '--attended', 'Go.'])
  await run.until(/To answer:/)
  await start(['runs', 'rename', 'last', 'my run'])
  const rule = `Edit(/${join(cwd, 'a.txt')})`
  const waiting = async (): Promise<unknown> =>
    JSON.parse((await start(['runs', 'waiting', '--json'])).output)
  expect(await waiting()).toMatchObject([
    {
      type: 'approval',
      number: 1,
      name: 'my run',
      tool: 'Write',
      args: { file_path: 'a.txt', content: 'a.txt\n' },
      parts: [{ what: 'write a.txt', verdict: 'ask', why: 'no rule allows writing it' }],
      suggestions: [{ what: 'write a.txt', rule }],
    },
  ])
  const { output } = await start(['runs', 'waiting', 'my run'])
  expect(output).toMatch(
    /^run-\w+ {2}my run\nin .*\n1 {2}→ Write a\.txt\n {3}\? write a\.txt\n {5}no rule allows writing it\n {5}always: Edit\(.*\)\n/,
  )
  const [, command = ''] = /^ +toolglot (runs answer run-\w+ 1 allow)$/m.exec(output) ?? []
  expect(run.errors()).toContain(command)
  const answered = await start(command.split(' '))
  expect(answered).toMatchObject({ code: 0, output: 'Allowed: → Write a.txt\n', errors: '' })
  expect(await run.ended()).toBe(0)
  expect(run.output()).toBe('Written.\n')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('a.txt\n')
  expect(await waiting()).toEqual([])
})
