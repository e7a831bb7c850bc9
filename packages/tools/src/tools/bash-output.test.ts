import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readdir, readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { context, lives, machine } from '../../test/machine.ts'
import { bashTool, type BashResult } from './bash.ts'
import { type BashOutputArguments, bashOutputTool, type BashOutputResult } from './bash-output.ts'
import { killShellTool } from './kill-shell.ts'
import { until } from '../../../../tests/helpers/until.ts'
import { isLong } from '../../../../tests/helpers/size.ts'

async function start(host: Host, command: string, timeout?: number): Promise<BashResult> {
  const args = { command, run_in_background: true, timeout }
  return await bashTool(host).execute(args, context())
}

async function read(
  host: Host,
  { task_id: id }: BashResult,
  more: Partial<BashOutputArguments> = {},
): Promise<BashOutputResult> {
  return await bashOutputTool(host).execute({ task_id: id!, ...more }, context())
}

test("returns immediately with the task's id, pid and output file", async () => {
  const { host } = await machine()
  const task = await start(host, 'echo a; sleep 60')
  expect(task).toMatchObject({ stdout: '', stderr: '', exit_code: 0, task_id: 'bash_1' })
  expect(lives(task.pid!)).toBe(true)
  expect((await stat(task.output_file!)).mode & 0o777).toBe(0o600)
})

test('each call returns new output, and the file contains all of it', async () => {
  const { host } = await machine()
  const task = await start(host, 'echo a; read -t 0.5 < <(sleep 9); echo é >&2; exit 4')
  expect(await read(host, task, { wait_ms: 300, filter: 'a' })).toMatchObject({
    output: 'a\n',
    status: 'running',
  })
  const second = await read(host, task, { wait_ms: 5000 })
  expect(second).toMatchObject({ output: 'é\n', status: 'failed', exit_code: 4 })
  expect(await read(host, task)).toMatchObject({ output: '', status: 'failed' })
  expect(await readFile(task.output_file!, 'utf8')).toBe('a\né\n')
})

test('all calls together return the whole output, in any chunking', async () => {
  const { host } = await machine()
  const count = isLong ? 200 : 40
  const task = await start(
    host,
    String.raw`for i in $(seq ${count}); do printf '\xf0'; sleep 0.001; printf '\x9f\x98\x80'; done`,
  )
  let all = ''
  for (let status = 'running'; status === 'running';) {
    const next = await read(host, task)
    all += next.output
    status = next.status
  }
  expect(all).toBe('😀'.repeat(count))
})

test('waits only for a matching line', async () => {
  const { host } = await machine()
  const task = await start(host, 'echo starting; sleep 0.3; echo "listening on 8080"; sleep 60')
  const result = await read(host, task, { wait_ms: 20_000, filter: 'listening|ready' })
  expect(result).toMatchObject({ output: 'listening on 8080\n', status: 'running' })
})

test('waiting ends on timeout, and when the call is aborted', async () => {
  const { host } = await machine()
  const task = await start(host, 'sleep 60')
  expect(await read(host, task, { wait_ms: 200 })).toMatchObject({ output: '', status: 'running' })
  const waiting = bashOutputTool(host).execute(
    { task_id: task.task_id!, wait_ms: 60_000 },
    context(AbortSignal.timeout(200)),
  )
  await expect(waiting).rejects.toThrow()
})

test('a filter never takes exponential time; an invalid one is explained', async () => {
  const { host } = await machine()
  const task = await start(host, `printf '%s\\n' ${'a'.repeat(3000)}`)
  await read(host, task, { wait_ms: 3000, filter: '(a+)+$b' })
  await expect(read(host, task, { filter: '(' })).rejects.toMatchObject({
    errorType: 'invalid_input',
    message: expect.stringContaining('unclosed group'),
  })
})

test('cuts long output in the middle', async () => {
  const { host } = await machine()
  const task = await start(host, 'seq 100000')
  const result = await read(host, task, { wait_ms: 10_000 })
  expect(result).toMatchObject({ truncated: true, status: 'completed', exit_code: 0 })
  expect(result.output).toMatch(/^1\n2\n[^]*omitted[^]*\n100000\n$/)
  expect(result.output.length).toBeLessThan(31_000)
})

test('has no time limit unless one is given', async () => {
  const { host } = await machine()
  const task = await start(host, 'sleep 60', 200)
  expect(await read(host, task, { wait_ms: 5000 })).toMatchObject({
    status: 'timed_out',
    exit_code: 124,
  })
})

test('does not change the working directory', async () => {
  const { host, root } = await machine()
  await read(host, await start(host, 'mkdir x; cd x'), { wait_ms: 5000 })
  expect(host.processes.cwd).toBe(root)
})

describe('KillShell', () => {
  test('stops it and its child processes', async () => {
    const { host } = await machine()
    const task = await start(host, 'trap "" TERM; setsid sleep 300 & echo $!; wait')
    const { output } = await read(host, task, { wait_ms: 3000, filter: '[0-9]' })
    const killShell = killShellTool(host)
    expect(await killShell.execute({ task_id: task.task_id! }, context())).toMatchObject({
      status: 'stopped',
    })
    expect(lives(Number(output))).toBe(false)
    expect(await killShell.execute({ task_id: task.task_id! }, context())).toMatchObject({
      status: 'stopped',
    })
    expect(await read(host, task)).toMatchObject({ status: 'stopped' })
  })

  test('keeps the status of an ended task', async () => {
    const { host } = await machine()
    const task = await start(host, 'true')
    await read(host, task, { wait_ms: 3000 })
    expect(await killShellTool(host).execute({ task_id: task.task_id! }, context())).toMatchObject({
      status: 'completed',
    })
  })

  test('lists the known tasks in the error for an unknown one', async () => {
    const { host } = await machine()
    const unknown = { task_id: 'bash_9' }
    await expect(killShellTool(host).execute(unknown, context())).rejects.toThrow(
      /No command is running/,
    )
    await start(host, 'true')
    await expect(bashOutputTool(host).execute(unknown, context())).rejects.toMatchObject({
      errorType: 'not_found',
      message: expect.stringContaining('bash_1'),
    })
  })
})

test('limits the number of background tasks', async () => {
  const { host } = await machine({ maxTasks: 2 })
  await start(host, 'sleep 60')
  const second = await start(host, 'sleep 60')
  await expect(start(host, 'sleep 60')).rejects.toMatchObject({
    details: { code: 'too_many_tasks' },
  })
  await killShellTool(host).execute({ task_id: second.task_id! }, context())
  expect((await start(host, 'true')).task_id).toBeDefined()
})

test('keeps concurrent tasks independent', async () => {
  const { host } = await machine({ maxTasks: 5 })
  const starting = Array.from({ length: 8 }, () => start(host, 'sleep 60'))
  const started = (await Promise.allSettled(starting)).flatMap((one) =>
    one.status === 'fulfilled' ? [one.value.task_id] : [],
  )
  expect(new Set(started).size).toBe(5)
  expect(host.processes.tasks).toHaveLength(5)
})

test('leaves no task behind if a command cannot start', async () => {
  const { host, storage } = await machine()
  await expect(start(host, 'pkill node')).rejects.toThrow()
  expect(host.processes.tasks).toEqual([])
  expect(await readdir(`${storage}/logs`)).toEqual([])
})

test('ends all tasks when the host closes', async () => {
  const { host, root } = await machine()
  const commands = ['touch a; sleep 60', 'trap "" TERM; touch b; sleep 60']
  const tasks = await Promise.all(commands.map((command) => start(host, command)))
  await until(() => existsSync(join(root, 'a')) && existsSync(join(root, 'b')))
  await host.close()
  for (const { pid } of tasks) expect(lives(pid!)).toBe(false)
})
