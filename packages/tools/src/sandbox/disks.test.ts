import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type SmallDisk, smallDisk } from '../../../agent/test/small-disk.ts'
import type { CommandResult } from '../host/processes.ts'
import type { Host } from '../host/host.ts'
import { nodeHost } from '../node/host.ts'
import { asideFolder, listMovedAside, prepareRestore } from './aside.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { share } from '../../../../tests/helpers/size.ts'

const missing = (await lacks('mount')) || (await lacks('bubblewrap'))

function disk(kilobytes: number): SmallDisk {
  const mounted = smallDisk(kilobytes)!
  onTestFinished(() => mounted.remove())
  return mounted
}

async function folder(): Promise<string> {
  const made = folderOf()
  return made
}

function hostOn(root: string, storage: string): Host {
  const host = nodeHost({
    fileSystem: nodeFileSystem({ cwd: root }),
    storage: { folder: storage },
    sandbox: { use: 'bubblewrap' },
  })
  onTestFinished(() => host.close())
  return host
}

const run = (host: Host, command: string): Promise<CommandResult> =>
  host.processes.run(command, { timeout: 20_000 })

describe.skipIf(missing)('disks', () => {
  test('a file is moved aside to another disk, and back', async () => {
    const [root, storage] = [await realpath(disk(1024).folder), await folder()]
    const { notes } = await run(hostOn(root, storage), 'mkdir .vscode && echo x > .vscode/a')
    expect(notes.join()).toContain('The new .vscode was moved out of the way')
    expect(readdirSync(root)).toEqual([])
    const [item] = listMovedAside(asideFolder(storage))
    expect(readFileSync(join(item!.at, 'a'), 'utf8')).toBe('x\n')
    await (await prepareRestore(item!, asideFolder(storage))).putBack()
    expect(readFileSync(join(root, '.vscode/a'), 'utf8')).toBe('x\n')
    expect(existsSync(item!.at)).toBe(false)
  })

  test('if the state is read-only, commands fail with the reason, and work again afterwards', async () => {
    const [root, state] = [await folder(), disk(1024)]
    const host = hostOn(root, state.folder)
    state.readOnly(true)
    await expect(run(host, 'touch x')).rejects.toThrow(
      /^Couldn't create a temporary folder for commands in .+EROFS.+set XDG_STATE_HOME to another/,
    )
    state.readOnly(false)
    expect(readdirSync(state.folder)).toEqual([])
    expect(await run(host, 'touch x')).toMatchObject({ exitCode: 0 })
  })

  test.each(share([0, 4, 8, 16, 32, 64], 3))(
    'if the disk of the state has %i kB left, a command runs guarded or not at all',
    async (left) => {
      const [root, state] = [await folder(), disk(512)]
      const host = hostOn(root, state.folder)
      state.fill(left)
      const result = await run(host, 'echo x > .envrc; echo y > plain').catch((e: Error) => e)
      if (result instanceof Error) {
        expect(result.message).toMatch(/No space left|ENOSPC/i)
        expect(readdirSync(root)).toEqual([])
      } else {
        // The file is never lost, and never in place.
        const aside = readdirSync(root).find((name) => name.startsWith('.toolglot-aside-'))
        const at = listMovedAside(asideFolder(state.folder))[0]?.at
        if (at === undefined) expect(result.notes.join()).toContain(`It is now ${aside}`)
        expect(existsSync(join(root, '.envrc'))).toBe(false)
        expect(readFileSync(at ?? join(root, aside!), 'utf8')).toBe('x\n')
      }
      state.free()
      expect(await run(host, 'echo z > plain')).toMatchObject({ exitCode: 0 })
      await host.close()
      const kept = readdirSync(state.folder).filter((name) => !['aside', 'logs'].includes(name))
      expect(kept.flatMap((name) => readdirSync(join(state.folder, name)))).toEqual([])
    },
  )

  test('a full disk with the workspace loses no data', async () => {
    const [workspace, storage] = [disk(256), await folder()]
    const root = await realpath(workspace.folder)
    writeFileSync(join(root, 'mine'), 'mine')
    workspace.fill(8)
    const { notes } = await run(hostOn(root, storage), 'echo x > .envrc; yes > big; true')
    expect(notes.join()).toContain('The new .envrc was moved out of the way')
    const [item] = listMovedAside(asideFolder(storage))
    expect([readFileSync(item!.at, 'utf8'), readFileSync(join(root, 'mine'), 'utf8')]).toEqual([
      'x\n',
      'mine',
    ])
  })
})
