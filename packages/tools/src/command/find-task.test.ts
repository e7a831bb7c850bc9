import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolContext } from '@toolglot/agent'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { context, machine } from '../../test/machine.ts'
import { memory } from '../../test/memory.ts'
import type { Host } from '../host/host.ts'
import { nodeHost } from '../node/host.ts'
import { bashInputTool } from '../tools/bash-input.ts'
import { bashOutputTool } from '../tools/bash-output.ts'
import { type BashArguments, bashTool, type BashResult } from '../tools/bash.ts'
import { killShellTool } from '../tools/kill-shell.ts'

interface Process {
  readonly host: Host
  readonly call: (args: BashArguments, run?: string) => Promise<BashResult>
}

/** A run in one process, and a function that continues it in another. */
async function setting() {
  const { host, root, storage } = await machine()
  const { remember, remembered } = memory()
  const processOf = (each: Host): Process => ({
    host: each,
    call: async (args, run = 'run') =>
      bashTool(each).execute(args, { ...context(), run, ...(run === 'run' && { remember }) }),
  })
  const newHost = (): Host => {
    const other = nodeHost({
      fileSystem: nodeFileSystem({ cwd: root }),
      storage: { folder: storage },
      sandbox: { use: 'none' },
    })
    onTestFinished(() => other.close())
    return other
  }
  const resume = async (each: Host = newHost()): Promise<Process> => {
    await bashTool(each).resume!('run', remembered())
    return processOf(each)
  }
  return { root, storage, remember, remembered, newHost, resume, first: processOf(host) }
}

const inRun = (run = 'run'): ToolContext => ({ ...context(), run })

describe('the folder', () => {
  test('is where the last command of another process ended', async () => {
    const { root, first, resume } = await setting()
    mkdirSync(join(root, 'sub/deep'), { recursive: true })
    await first.call({ command: 'cd sub' })
    await first.call({ command: 'cd deep; false' })
    await first.call({ command: 'pwd', cwd: '..' })
    const { host, call } = await resume()
    expect(host.fileSystem.cwd).toBe(join(root, 'sub/deep'))
    expect((await call({ command: 'pwd' })).stdout).toBe(`${root}/sub/deep\n`)
  })

  test('does not change if that folder is gone, or leads out of the workspace', async () => {
    const { root, storage, first, resume, remember } = await setting()
    mkdirSync(join(root, 'sub'))
    await first.call({ command: 'cd sub' })
    rmSync(join(root, 'sub'), { recursive: true })
    expect((await resume()).host.processes.cwd).toBe(root)
    symlinkSync(storage, join(root, 'sub'))
    expect((await resume()).host.processes.cwd).toBe(root)
    writeFileSync(join(root, 'file'), '')
    for (const folder of ['/', storage, join(root, 'file'), join(root, '..'), '..', 'sub', 7]) {
      remember('shell', { folder, started: 1 })
      expect((await resume()).host.processes.cwd).toBe(root)
    }
    for (const odd of [null, 'sub', [], { folder: root, started: -1 }]) {
      remember('shell', odd)
      expect((await resume()).host.processes.started).toBe(0)
    }
  })

  test('is remembered even after a stopped command', async () => {
    const { first, root, remember, remembered } = await setting()
    const stopped = { ...inRun(), remember, signal: AbortSignal.timeout(100) }
    await expect(
      (async () => bashTool(first.host).execute({ command: 'sleep 60' }, stopped))(),
    ).rejects.toThrow()
    expect(remembered().get('shell')).toEqual({ folder: root, started: 1 })
  })
})

describe('a task of an earlier process', () => {
  test('is explained in the error', async () => {
    const { first, resume } = await setting()
    const { task_id: id, output_file: file } = await first.call({
      command: 'echo started; sleep 60',
      run_in_background: true,
    })
    await first.host.close()
    const { host } = await resume()
    const calls = [
      () => bashOutputTool(host).execute({ task_id: id! }, inRun()),
      () => bashInputTool(host).execute({ task_id: id!, input: 'x' }, inRun()),
      () => killShellTool(host).execute({ task_id: id! }, inRun()),
    ]
    for (const call of calls)
      await expect((async () => call())()).rejects.toMatchObject({
        errorType: 'not_found',
        message: `Task "bash_1" was started before this run moved to another process, and background commands end with their process. Its output until then is in ${file}. If it is still needed, start the command again with Bash.`,
        details: { code: 'task_of_earlier_process' },
      })
    await expect(
      (async () => bashOutputTool(host).execute({ task_id: 'bash_7' }, inRun()))(),
    ).rejects.toThrow('Unknown task "bash_7". No command is running in the background.')
  })

  test('is also explained if a command became one at its timeout', async () => {
    const { first, resume } = await setting()
    const { task_id: id } = await first.call({
      command: 'sleep 60',
      timeout: 50,
      background_on_timeout: true,
    })
    const { host } = await resume()
    await expect(
      (async () => killShellTool(host).execute({ task_id: id! }, inRun()))(),
    ).rejects.toThrow('moved to another process')
  })

  test('is not confused with a later one, nor with one of another run', async () => {
    const { first, resume, newHost } = await setting()
    const background = { command: 'sleep 60', run_in_background: true }
    await first.call(background)
    const host = newHost()
    const other = await bashTool(host).execute(background, inRun('other'))
    expect(other.task_id).toBe('bash_1')
    const { call } = await resume(host)
    await expect(
      (async () => killShellTool(host).execute({ task_id: 'bash_1' }, inRun()))(),
    ).rejects.toThrow('moved to another process')
    expect(await killShellTool(host).execute({ task_id: 'bash_1' }, inRun('other'))).toMatchObject({
      status: 'stopped',
    })
    const again = await call(background)
    expect(again.task_id).toBe('bash_2')
    expect(await bashOutputTool(host).execute({ task_id: 'bash_2' }, inRun())).toMatchObject({
      status: 'running',
    })
  })

  test('is still available if the run resumes in the same process', async () => {
    const { first, resume } = await setting()
    await first.call({ command: 'sleep 60', run_in_background: true })
    const { host } = await resume(first.host)
    expect(await bashOutputTool(host).execute({ task_id: 'bash_1' }, inRun())).toMatchObject({
      status: 'running',
    })
  })
})

test('keeps its output readable, but no other files', async () => {
  const { first, storage, resume, remember } = await setting()
  const { output_file: long } = await first.call({ command: 'seq 20000' })
  const { output_file: task } = await first.call({ command: 'true', run_in_background: true })
  const others = [
    '/etc/passwd',
    join(storage, 'logs'),
    join(storage, 'logs/../todos/run.json'),
    join(storage, 'logs/deep/x.log'),
    'x.log',
  ]
  for (const file of others) remember(`output:${file}`, null)
  const { fileSystem } = (await resume()).host
  expect([long!, task!].map((file) => fileSystem.wrote!(file))).toEqual([true, true])
  expect(others.filter((file) => fileSystem.wrote!(file))).toEqual([])
})
