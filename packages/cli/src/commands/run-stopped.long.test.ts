import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type Spawned, spawned } from '../../test/spawned.ts'
import { stillRuns } from '../../test/still-runs.ts'
import { startCommand } from '../../test/start-command.ts'
import { calling, talkingServer, type TalkingServer } from '../../test/talking-server.ts'
import { until } from '../../../../tests/helpers/until.ts'

/** A unique duration, by which the test finds the command. */
const mark = `sleep 300.${randomInt(1e9)}`
const files = { 'work.sh': `echo began >> times; echo ready; ${mark}\n` }
const works = calling('Bash', { command: 'sh work.sh' })
const allow = ['--allow', 'Bash(sh work.sh)']

/**
 * After kill -9, the sandbox ends the command a moment later. Without a sandbox, the test has to
 * end it.
 */
async function isGone(): Promise<boolean> {
  const hasSandbox = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0
  if (!hasSandbox) spawnSync('pkill', ['-f', mark])
  return await until(() => !stillRuns(mark))
}

interface Started extends Spawned {
  readonly cwd: string
  readonly env: { readonly HOME: string }
}

/** Starts the built command in a new folder. */
function startRun({ model }: TalkingServer, ...words: string[]): Started {
  const cwd = folderOf(files)
  const env = { HOME: folderOf() }
  const line = ['run', '-m', model, '--cwd', cwd, ...words]
  return { cwd, env, ...spawned(line, { env, input: 'Work.' }) }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in a tool: it ends, and the run continues',
  async (signal) => {
    const server = await talkingServer(works, 'I was stopped.')
    const { child, cwd, env, until, errors, ended } = startRun(server, ...allow)
    await until(/│ ready/)
    child.kill(signal)
    expect(await ended()).toBe(1)
    expect(stillRuns(mark)).toBe(false)
    const [, id] = /toolglot run --resume (run-\w+)/.exec(errors()) ?? []
    const words = ['run', '-m', server.model, '--cwd', cwd, ...allow, '--resume', id!]
    expect(await startCommand(words, { env, cwd })).toMatchObject({
      code: 0,
      output: 'I was stopped.\n',
    })
    expect(server.messages(1).at(-1)!.content).toContain('unknown whether Bash finished')
    expect(readFileSync(join(cwd, 'times'), 'utf8')).toBe('began\n')
  },
)

test('SIGINT during a reply closes the connection, and the run can be resumed', async () => {
  const server = await talkingServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta = { content: 'Let me think.' }
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
  }, 'Here I am.')
  const { child, cwd, env, until, errors, ended } = startRun(server, '--json')
  await until(/"text"/)
  child.kill('SIGINT')
  expect(await ended()).toBe(1)
  await server.closed()
  const [, id] = /toolglot run --resume (run-\w+)/.exec(errors()) ?? []
  const words = ['run', '-m', server.model, '--cwd', cwd, '--resume', id!]
  expect(await startCommand(words, { env, cwd })).toMatchObject({ code: 0, output: 'Here I am.\n' })
})

test('after kill -9 during a call, reports the call and repeats no step', async () => {
  const server = await talkingServer(works, 'I do not know.')
  const { child, cwd, env, until, ended } = startRun(server, ...allow)
  await until(/│ ready/)
  expect(stillRuns(mark)).toBe(true)
  child.kill('SIGKILL')
  await ended()
  expect(await isGone()).toBe(true)
  const words = ['run', '-m', server.model, '--cwd', cwd, ...allow, '--resume', 'last']
  const { code, output, errors } = await startCommand(words, { env, cwd })
  expect({ code, output }).toEqual({ code: 0, output: 'I do not know.\n' })
  expect(errors).toContain('It is unknown whether Bash finished')
  expect(server.messages(1).at(-1)!.content).toContain('unknown whether Bash finished')
  expect(readFileSync(join(cwd, 'times'), 'utf8')).toBe('began\n')
})

test('does not resume a run that another process is using', async () => {
  const server = await talkingServer(works)
  const { child, cwd, env, until, ended } = startRun(server, ...allow)
  await until(/│ ready/)
  const words = ['run', '-m', server.model, '--cwd', cwd, ...allow, '--resume', 'last']
  const { code, errors } = await startCommand(words, { env, cwd })
  expect(code).toBe(1)
  expect(errors).toMatch(/storage: The run run-\w+ is open in process \d+/)
  child.kill('SIGTERM')
  await ended()
  expect(existsSync(join(cwd, 'times'))).toBe(true)
})
