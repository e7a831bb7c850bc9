import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describe, expect, test, vi } from 'vitest'
import { context, machine } from '../../test/machine.ts'
import { bashOutputTool } from '../tools/bash-output.ts'
import { bashTool } from '../tools/bash.ts'
import { asideFolder, listMovedAside } from './aside.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const missing = await lacks('bubblewrap')
const sandbox = { use: 'bubblewrap' } as const
const warning = (path: string): string =>
  expect.stringContaining(`The new ${path} was moved out of the way`) as string

describe.skipIf(missing)('the user is warned about protected files', () => {
  test('in the results of Bash and BashOutput', async () => {
    const { host } = await machine({ sandbox })
    const [bash, output] = [bashTool(host), bashOutputTool(host)]
    const run = async (command: string, more: object = {}) =>
      await bash.execute({ command, ...more }, context())
    expect(await run('echo x > .envrc')).toMatchObject({ warnings: [warning('.envrc')] })
    expect(await run('true')).not.toHaveProperty('warnings')
    const { task_id } = await run('mkdir .idea', { run_in_background: true })
    const args = { task_id: task_id!, wait_ms: 10_000 }
    expect(await output.execute(args, context())).toMatchObject({ warnings: [warning('.idea')] })
    expect(await run('true')).not.toHaveProperty('warnings')
  })

  test('in the next result, if the output of a background command is not read', async () => {
    const { host, storage } = await machine({ sandbox })
    await host.processes.start('mkdir .idea; sleep 60')
    await vi.waitFor(() => expect(listMovedAside(asideFolder(storage))).toHaveLength(1), 10_000)
    const { warnings } = await host.processes.run('true', { timeout: 10_000 })
    expect(warnings).toEqual([warning('.idea')])
  })

  test('in the next result, if a command is stopped', async () => {
    const { host, root } = await machine({ sandbox })
    const abort = new AbortController()
    const running = host.processes.run('echo x > .envrc; touch ready; sleep 60', {
      timeout: 60_000,
      signal: abort.signal,
    })
    running.catch(() => {})
    await vi.waitFor(() => expect(existsSync(join(root, 'ready'))).toBe(true), 10_000)
    abort.abort()
    await expect(running).rejects.toThrow()
    const { warnings } = await host.processes.run('true', { timeout: 10_000 })
    expect(warnings).toEqual([warning('.envrc')])
  })

  test('at most twenty times per command, and briefly', async () => {
    const { host } = await machine({ sandbox })
    const long = `mkdir -p ${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(200)}`
    const many = `for i in $(seq 30); do mkdir $i; touch $i/.envrc; done; ${long} && touch a*/b*/c*/.envrc`
    const result = await bashTool(host).execute({ command: many }, context())
    const { warnings = [] } = result as { warnings?: readonly string[] }
    expect(warnings.length).toBeGreaterThan(1)
    expect(warnings.length).toBeLessThanOrEqual(21)
    for (const each of warnings) expect(each.length).toBeLessThan(600)
  })
})

test('about a home folder as the workspace only when a command is about to run', async () => {
  const { root } = await machine()
  const fileSystem = nodeFileSystem({ cwd: root, home: root })
  const { host } = await machine({ fileSystem, sandbox: {} })
  expect(await host.processes.sandbox()).toHaveProperty('name')
  expect(await host.processes.temporary?.()).toBeInstanceOf(Array)
  const failure = { details: { code: 'home_exposed', path: root } }
  await expect(host.processes.network?.('true')).rejects.toMatchObject(failure)
  await expect(host.processes.run('true', { timeout: 5000 })).rejects.toMatchObject(failure)
  await expect(host.processes.start('true')).rejects.toMatchObject(failure)
})
