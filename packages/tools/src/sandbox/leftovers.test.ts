import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { bundleProgram, type Child } from '../../test/child.ts'
import { lives, machine } from '../../test/machine.ts'
import { HELD_NAMES, whyMissing } from '../../test/sandboxes.ts'

let program: Awaited<ReturnType<typeof bundleProgram>>
beforeAll(async () => {
  program = await bundleProgram(new URL('../../test/holding.ts', import.meta.url))
})
afterAll(() => program.remove())

const KINDS = [
  { name: 'bubblewrap', hosts: undefined },
  { name: 'sandbox-runtime', hosts: 'example.org' },
] as const

for (const { name, hosts } of KINDS) {
  const missing = await whyMissing(name, hosts ? [hosts] : 'none')
  describe.skipIf(missing)(`${name}${missing ? ` does not run here: ${missing}` : ''}`, () => {
    const sandbox = { use: name, network: hosts ? [hosts] : 'none' } as const

    /** A child process with a sandboxed command, and a host in this process for the same folder and records. */
    async function two(env: Record<string, string> = {}): Promise<{
      readonly child: Child
      readonly command: number
      readonly root: string
      readonly storage: string
      readonly host: () => Host
    }> {
      const { root, storage } = await machine()
      const fileSystem = nodeFileSystem({ cwd: root })
      const { host } = await machine({ sandbox, fileSystem, storage: { folder: storage } })
      const given = { ROOT: root, STORAGE: storage, ...(hosts && { HOSTS: hosts }), ...env }
      const child = program.start(given, root)
      await child.ready
      return { child, command: Number.parseInt(child.output()), root, storage, host: () => host }
    }

    const records = (storage: string): string[] =>
      readdirSync(join(storage, 'sandbox')).filter((file) => !file.startsWith('exclude-'))

    test('while a command runs, its folder contains the placeholders, each a file or folder as appropriate', async () => {
      const { child, root } = await two()
      expect(readdirSync(root)).toEqual(HELD_NAMES)
      expect(JSON.parse(readFileSync(join(root, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: {} })
      child.process.kill('SIGKILL')
      await child.ended
    })

    test('if it is killed they remain, and the next start removes them', async () => {
      const { child, command, root, storage, host } = await two()
      child.process.kill('SIGKILL')
      await child.ended
      expect(readdirSync(root)).toEqual(HELD_NAMES)
      expect(records(storage)).toHaveLength(1)
      expect(await host().processes.sandbox()).toMatchObject({ name })
      expect(readdirSync(root)).toEqual([])
      expect(records(storage)).toEqual([])
      expect(readdirSync(storage).filter((file) => file.startsWith('tmp-'))).toHaveLength(1)
      await expect.poll(() => lives(command)).toBe(false)
    })

    test('files that someone has put there stay', async () => {
      const { child, root, host } = await two()
      child.process.kill('SIGKILL')
      await child.ended
      writeFileSync(join(root, '.mcp.json'), '{"mcpServers":{"own":{}}}')
      writeFileSync(join(root, '.claude/settings.json'), '{}')
      rmdirSync(join(root, '.vscode'))
      mkdirSync(join(root, 'between'))
      mkdirSync(join(root, '.vscode'))
      await host().processes.sandbox()
      expect(readdirSync(root)).toEqual(['.claude', '.mcp.json', '.vscode', 'between'])
    })

    test.each(['SIGINT', 'SIGTERM'] as const)(
      '%s ends everything, and nothing remains',
      async (signal) => {
        const { child, command, root, storage } = await two()
        // The child has a `once` listener of its own and continues.
        const again = setInterval(() => child.process.kill(signal), 300)
        child.process.kill(signal)
        void child.ended.then(() => clearInterval(again))
        expect((await child.ended).signal).toBe(signal)
        expect([readdirSync(root), records(storage), lives(command)]).toEqual([[], [], false])
      },
    )

    test('process.exit() ends everything, and nothing remains', async () => {
      const { child, command, root, storage } = await two({ END: 'exit' })
      child.process.stdin!.write('end\n')
      expect((await child.ended).code).toBe(3)
      expect([readdirSync(root), records(storage), lives(command)]).toEqual([[], [], false])
    })

    test.each(['closed', 'killed'])('a process that is %s leaves what others need', async (how) => {
      const { child, root, storage, host } = await two()
      const tries =
        'mkdir .claude/x; mkdir -p .claude/x && echo made; echo {} > .mcp.json && echo made'
      const task = await host().processes.start(
        `echo ready; while [ ! -e go ]; do sleep 0.05; done; ${tries}; echo tried`,
      )
      await task.wait({ timeout: 20_000, untilOutput: true })
      if (how === 'killed') child.process.kill('SIGKILL')
      else child.process.stdin!.write('end\n')
      await child.ended
      // Other commands run in the meantime.
      await host().processes.run('true', { timeout: 20_000 })
      expect(readdirSync(root)).toEqual(HELD_NAMES)
      writeFileSync(join(root, 'go'), '')
      await task.wait({ timeout: 20_000 })
      const { text } = await task.read()
      expect(text).toContain('tried')
      expect(text).not.toContain('made')
      expect(readdirSync(root)).toEqual(['go'])
      await host().processes.run('true', { timeout: 20_000 })
      expect([readdirSync(root), records(storage)]).toEqual([['go'], []])
    })
  })
}
