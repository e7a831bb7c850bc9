import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decide, readRules } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { context, lives, machine } from '../../test/machine.ts'
import { bashTool } from './bash.ts'
import { bashInputTool } from './bash-input.ts'
import { bashOutputTool } from './bash-output.ts'
import { killShellTool } from './kill-shell.ts'
import { until } from '../../../../tests/helpers/until.ts'

const read = (host: Host, id: string, filter?: string) =>
  bashOutputTool(host).execute({ task_id: id, wait_ms: 10_000, filter }, context())

async function start(host: Host, command: string): Promise<string> {
  const args = { command, run_in_background: true, interactive: true }
  return (await bashTool(host).execute(args, context())).task_id!
}

test('a background command reads its input until the end', async () => {
  const { host } = await machine()
  const id = await start(host, 'read -r name; echo "hello $name"; cat; echo over')
  const write = bashInputTool(host)
  expect(await write.execute({ task_id: id, input: 'wörld\n' }, context())).toEqual({
    task_id: id,
    written: 7,
  })
  expect(await read(host, id, 'hello')).toMatchObject({ output: 'hello wörld\n' })
  await write.execute({ task_id: id, input: 'rest\n', end: true }, context())
  expect(await read(host, id)).toMatchObject({ output: 'rest\nover\n', status: 'completed' })
  await expect(write.execute({ task_id: id, input: 'x' }, context())).rejects.toThrow(
    'it no longer reads its input',
  )
})

test('a command that is not interactive has empty input', async () => {
  const { host } = await machine()
  const args = { command: 'cat; echo over; sleep 60', run_in_background: true }
  const { task_id: id } = await bashTool(host).execute(args, context())
  expect(await read(host, id!, 'over')).toMatchObject({ output: 'over\n' })
  const writing = bashInputTool(host).execute({ task_id: id!, input: 'x' }, context())
  await expect(writing).rejects.toThrow('it was started without stdin')
  await killShellTool(host).execute({ task_id: id! }, context())
  const wrong = { command: 'cat', interactive: true }
  await expect(bashTool(host).execute(wrong, context())).rejects.toThrow('run_in_background')
})

test('every input needs approval, unless a rule allows it', async () => {
  const { host } = await machine()
  const call = { name: 'BashInput', args: { task_id: 'bash_1', input: 'rm -rf ~\n' } }
  expect((await decide(call, { rules: [] }, host.fileSystem)).verdict).toBe('ask')
  const { rules } = readRules({ allow: ['BashInput'] })
  expect((await decide(call, { rules }, host.fileSystem)).verdict).toBe('allow')
  expect((await decide(call, { rules, mode: 'plan' }, host.fileSystem)).verdict).toBe('deny')
})

test('a command that times out continues in the background on request', async () => {
  const { host } = await machine()
  const stop = new AbortController()
  const args = {
    command: 'echo first; sleep 1; echo second; sleep 60',
    timeout: 500,
    background_on_timeout: true,
  }
  const tool = bashTool(host)
  const result = await tool.execute(args, context(stop.signal))
  expect(result).toMatchObject({ stdout: 'first\n', timed_out: true, task_id: 'bash_1' })
  expect(tool.show!(result, args)).toMatch(/^first\n.*continues in the background as bash_1/)
  stop.abort()
  expect(await read(host, 'bash_1', 'second')).toMatchObject({ output: 'second\n' })
  expect(lives(result.pid!)).toBe(true)
  await killShellTool(host).execute({ task_id: 'bash_1' }, context())
  expect(lives(result.pid!)).toBe(false)
})

test('a command that ends in time, or is cancelled, is unaffected', async () => {
  const { host, root } = await machine()
  const tool = bashTool(host)
  const quick = { command: 'echo a; cd /; exit 3', background_on_timeout: true }
  const ended = await tool.execute(quick, context())
  expect(ended).toMatchObject({ stdout: 'a\n', exit_code: 3 })
  expect(ended.task_id).toBeUndefined()
  const stop = new AbortController()
  const slow = tool.execute(
    { command: 'touch begun; sleep 60', cwd: root, background_on_timeout: true },
    context(stop.signal),
  )
  await until(() => existsSync(join(root, 'begun')))
  stop.abort(new Error('enough'))
  await expect(slow).rejects.toThrow('enough')
  expect(host.processes.tasks).toEqual([])
})

test('stops the command if no more commands may run in the background', async () => {
  const { host } = await machine({ maxTasks: 0 })
  const args = { command: 'sleep 60', timeout: 100, background_on_timeout: true }
  const result = await bashTool(host).execute(args, context())
  expect(result).toMatchObject({ exit_code: 124, timed_out: true })
  expect(result.task_id).toBeUndefined()
})
