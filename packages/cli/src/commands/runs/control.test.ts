import { describe, expect, test } from 'vitest'
import type { RunEvent } from '@toolglot/agent'
import { household } from '../../../test/household.ts'
import { calling, talkingServer } from '../../../test/talking-server.ts'

const write = calling('Write', { file_path: 'a.txt', content: 'a\n' })

describe('follow', () => {
  const eventsIn = (text: string): RunEvent[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent)

  test('shows each event once, until the run ends', async () => {
    const { model } = await talkingServer(write, 'Written.')
    const { start, begin, spawn } = household()
    const run = begin(['run', '-m', model, '--attended', 'Go.'])
    await run.until(/To answer:/)
    const follower = spawn(['runs', 'follow', 'last'])
    const told = begin(['runs', 'follow', 'last', '--json', '--after', '1'])
    const [, command = ''] = await follower.until(/To answer: toolglot (.* 1 allow)\n/)
    await told.until(/"approval-request"/)
    await start(command.split(' '))
    expect(await Promise.all([run, follower, told].map((each) => each.ended()))).toEqual([0, 0, 0])
    expect(follower.output()).toMatch(
      /^› Go\.\n\nturn 0\n→ Write a\.txt\n {2}\? write a\.txt\n[^]*Created a\.txt[^]*\n\nturn 1\nWritten\.\n$/,
    )
    const events = eventsIn(told.output())
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 2))
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
    const { output } = await start(['replay', 'last', '--json'])
    expect(eventsIn(output).slice(2)).toEqual(events)
    // The run has ended, so there is nothing to wait for.
    expect((await start(['runs', 'follow', 'last'])).output).toContain('Written.\n')
  })

  test('Ctrl-C only ends following', async () => {
    const { model } = await talkingServer(write, 'Fine.')
    const { start, begin, spawn } = household()
    const run = begin(['run', '-m', model, '--attended', 'Go.'])
    await run.until(/To answer:/)
    const follower = spawn(['runs', 'follow', 'last'])
    await follower.until(/To answer:/)
    follower.child.kill('SIGINT')
    expect(await follower.ended()).toBe(0)
    await start(['runs', 'answer', 'last', 'deny'])
    expect(await run.ended()).toBe(0)
    expect(run.output()).toBe('Fine.\n')
  })

  test('redacts likely secrets, except with --raw', async () => {
    const { start } = household()
    const secret = `sk-${'aB3'.repeat(10)}`
    await start(['run', '-m', 'script', `Is ${secret} a key?`])
    for (const words of [[], ['--json']]) {
      expect((await start(['runs', 'follow', 'last', ...words])).output).not.toContain(secret)
      const raw = await start(['runs', 'follow', 'last', '--raw', ...words])
      expect(raw.output).toContain(secret)
    }
  })

  test('reports that no process is executing the run', async () => {
    const { model } = await talkingServer(write, 'Fine.')
    const { start, begin } = household()
    await start(['run', '-m', model, '--suspend', 'Go.'])
    await start(['runs', 'answer', 'last', 'deny'])
    const follower = begin(['runs', 'follow', 'last'])
    await follower.until(/No process is executing it\. To continue it: toolglot run --resume run-/)
    await start(['run', '-m', model, '--resume', 'last'])
    expect(await follower.ended()).toBe(0)
    expect(follower.output()).toContain('Fine.\n')
  })

  test.each(['-1', 'x', ''])('refuses --after %j', async (after) => {
    const { start } = household()
    expect(await start(['runs', 'follow', 'last', '--after', after])).toMatchObject({ code: 2 })
  })
})
