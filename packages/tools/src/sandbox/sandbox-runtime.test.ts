import { createServer } from 'node:http'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import type { CommandResult } from '../host/processes.ts'
import { machine } from '../../test/machine.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { longTest } from '../../../../tests/helpers/size.ts'
import { listenUntilEnd } from '../../../../tests/helpers/free-ports.ts'

const missing = await lacks('sandbox-runtime')

async function run(host: Host, command: string, timeout = 30_000): Promise<CommandResult> {
  return await host.processes.run(command, { timeout })
}

async function serve(): Promise<number> {
  return await listenUntilEnd(createServer((_request, response) => response.end('reached')))
}

describe.skipIf(missing)('sandbox-runtime', () => {
  test('allows only the given hosts', async () => {
    const [named, other] = [await serve(), await serve()]
    const { host, root } = await machine({ sandbox: { network: [`127.0.0.1:${named}`] } })
    expect(await host.processes.sandbox()).toMatchObject({ name: 'sandbox-runtime' })
    // By default programs bypass the proxy for local addresses.
    const get = (port: number): string => `curl -sS --noproxy '' http://127.0.0.1:${port}/`
    // On a busy machine the proxy may not be listening yet.
    const again = '--retry 10 --retry-delay 1 --retry-all-errors'
    expect(await run(host, `${get(named)} ${again}`)).toMatchObject({
      stdout: 'reached',
      sandbox: 'sandbox-runtime',
    })
    expect((await run(host, get(other))).stdout).not.toContain('reached')
    expect((await run(host, `exec 5<>/dev/tcp/127.0.0.1/${named} && echo reached`)).stdout).toBe('')
    expect(await readdir(root)).toEqual([])
  })

  test('an approver can let a command reach hosts, and then others', async () => {
    const port = await serve()
    const { host } = await machine({ sandbox: {} })
    const get = `curl -sS --noproxy '' http://127.0.0.1:${port}/ --retry 10 --retry-delay 1 --retry-all-errors`
    const options = { timeout: 30_000 }
    expect((await host.processes.run('echo x', options)).sandbox).toBe('bubblewrap')
    for (const network of [['127.0.0.1'], ['127.0.0.1', 'example.org']])
      expect(await host.processes.run(get, { ...options, network })).toMatchObject({
        stdout: 'reached',
        sandbox: 'sandbox-runtime',
      })
    const other = await host.processes.run(get.replace(/ --retry.*/, ''), {
      ...options,
      network: ['example.org'],
    })
    expect(other.stdout).not.toContain('reached')
  })

  test('allows writing only to the workspace; cd and exit codes work as without a sandbox', async () => {
    const { host, root } = await machine({ sandbox: { network: ['example.org'] } })
    await writeFile(join(root, '.mcp.json'), '{}')
    const ended = await run(
      host,
      `mkdir a; cd a; echo "it's" > b; cat b; touch /usr/toolglot-x; exit 5`,
    )
    expect(ended).toMatchObject({ stdout: "it's\n", exitCode: 5 })
    expect(ended.stderr).toContain('Read-only file system')
    expect(host.processes.cwd).toBe(join(root, 'a'))
    expect((await run(host, 'echo x > ../.mcp.json')).exitCode).toBe(1)
    expect((await run(host, 'mkdir -p ../.toolglot/x')).notes.join()).toContain('new .toolglot')
    expect(await readdir(root)).toEqual(['.mcp.json', 'a'])
    expect((await run(host, 'touch $TMPDIR/x && echo ok')).stdout).toBe('ok\n')
  })

  longTest('kills a command that times out', async () => {
    const { host } = await machine({ sandbox: { network: ['example.org'] } })
    const ended = await run(host, 'trap "" TERM; sleep 300 & while :; do sleep 1; done', 500)
    expect(ended).toMatchObject({ timedOut: 'total', exitCode: 124 })
  })

  test('is a singleton, and reports a conflict', async () => {
    const { host } = await machine({ sandbox: { network: ['a.example'] } })
    await run(host, 'true')
    const { host: other } = await machine({
      sandbox: { use: 'sandbox-runtime', network: ['b.example'] },
    })
    await expect(run(other, 'true')).rejects.toThrow('it is in use in this process')
  })
})
