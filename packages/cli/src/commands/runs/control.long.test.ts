import { describe, expect, test } from 'vitest'
import { household } from '../../../test/household.ts'
import { calling, talkingServer } from '../../../test/talking-server.ts'

const write = calling('Write', { file_path: 'a.txt', content: 'a\n' })
const sleeps = calling('Bash', { command: 'echo began; sleep 300' })
const allowed = ['--allow', 'Bash(*)']

describe('stop', () => {
  test('ends a run in another process, which only --resume continues', async () => {
    const { model } = await talkingServer(sleeps, 'I was stopped.')
    const { start, spawn } = household()
    const run = spawn(['run', '-m', model, ...allowed, 'Go.'])
    await run.until(/│ began/)
    const stopped = await start(['runs', 'stop', 'last'])
    expect(stopped).toMatchObject({ code: 0, errors: '' })
    expect(stopped.output).toMatch(/^(Told run-\w+ to stop|Stopped run-\w+)\n$/)
    expect(await run.ended()).toBe(1)
    expect(run.errors()).toContain('cancelled: The run was stopped.')
    const { output } = await start(['runs', '--json'])
    expect(JSON.parse(output)).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
    const resumed = await start(['run', '-m', model, ...allowed, '--resume', 'last'])
    expect(resumed).toMatchObject({ code: 0, output: 'I was stopped.\n' })
  })

  test('stops a waiting run without a process', async () => {
    const { model } = await talkingServer(write)
    const { start } = household()
    expect(await start(['run', '-m', model, '--suspend', 'Go.'])).toMatchObject({ code: 3 })
    expect((await start(['runs', 'stop', 'last'])).output).toMatch(/^Stopped run-\w+\n$/)
    expect((await start(['runs', 'waiting'])).output).toBe('No requests are pending.\n')
    const again = await start(['runs', 'stop', 'last'])
    expect(again.code).toBe(1)
    expect(again.errors).toMatch(/run-\w+ has already ended/)
  })
})

describe('send', () => {
  test('reaches a waiting run, and both terminals show the message', async () => {
    const { model, messages } = await talkingServer(write, 'As you wish.')
    const { start, spawn } = household()
    const run = spawn(['run', '-m', model, '--attended', 'Go.'])
    await run.until(/To answer:/)
    const sent = await start(['runs', 'send', 'last', 'Then', 'say', 'goodbye.'])
    expect(sent).toMatchObject({ code: 0, errors: '' })
    expect(sent.output).toMatch(/^Sent to run-\w+\n$/)
    await start(['runs', 'answer', 'last', 'deny'])
    expect(await run.ended()).toBe(0)
    expect(run.errors()).toContain('\n› Then say goodbye.\n')
    // Users don't need to see their own input repeated.
    expect(run.errors()).not.toContain('› Go.')
    expect(messages(1).at(-1)!.content).toContain('Then say goodbye.')
  })

  test('reaches a suspended run when it continues', async () => {
    const { model, messages } = await talkingServer(write, 'As you wish.')
    const { start } = household()
    await start(['run', '-m', model, '--suspend', 'Go.'])
    await start(['runs', 'answer', 'last', 'deny'])
    const sent = await start(['runs', 'send', 'last'], { input: 'piped words\n' })
    expect(sent.output).toMatch(
      /No process is executing it\. To continue it: toolglot run --resume run-/,
    )
    await start(['run', '-m', model, '--resume', 'last'])
    expect(messages(1).at(-1)!.content).toContain('piped words')
  })

  test('is refused if the run would not read it', async () => {
    const { start } = household()
    await start(['run', '-m', 'script', 'Find *'])
    const ended = await start(['runs', 'send', 'last', 'Hello'])
    expect(ended.code).toBe(1)
    expect(ended.errors).toMatch(/has already ended. Continue it with toolglot run --resume run-/)
    expect(await start(['runs', 'send', 'last'])).toMatchObject({ code: 2 })
    expect(await start(['runs', 'send', 'nothing', 'Hello'])).toMatchObject({ code: 1 })
  })
})
