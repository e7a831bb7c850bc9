import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { nodeHost } from '../node/host.ts'
import { machine } from '../../test/machine.ts'
import { share } from '../../../../tests/helpers/size.ts'

const nowhere = { PATH: '/nowhere' }

test('reports that no sandbox is installed, and runs commands without one', async () => {
  const { host } = await machine({ environment: nowhere, sandbox: {} })
  const report = await host.processes.sandbox()
  expect(report.missing[0]).toEqual({ name: 'bubblewrap', reason: 'it is not installed' })
  if (report.name === 'none') {
    expect(report.about).toContain('Only permissions restrict commands')
    expect(await host.processes.run('echo x', { timeout: 5000 })).toMatchObject({ sandbox: 'none' })
  }
})

/** A failing program named bwrap, outside the workspace. */
async function fakeBubblewrap(script: string): Promise<string> {
  const folder = folderOf()
  await writeFile(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

const broken: [script: string, reason: RegExp][] = [
  [
    'case " $* " in *" --version "*) echo bubblewrap 0.3.3;; *" --ro-bind-try "*) echo "bwrap: Unknown option --ro-bind-try" >&2; exit 1;; esac',
    /^bubblewrap 0\.3\.3 is too old: version 0\.4 is required$/,
  ],
  [
    'echo "bwrap: Unknown option --bind-try" >&2; exit 1',
    /^this bubblewrap is too old: version 0\.4 is required$/,
  ],
  [
    'echo "bwrap: No permissions to create new namespace, likely because the kernel does not allow" >&2; exit 1',
    /^it can't create namespaces(, because of [\w.]+\. Allow it with: sudo sysctl .+|: .+ container.+)$/,
  ],
  [
    'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
    /^it can't create namespaces/,
  ],
  ['exit 0', /^it does not run the command$/],
  [
    'exec sleep 60',
    /^it did not finish a test within 10 seconds\. To find the cause, run: bwrap --ro-bind \/ \/ true\. Then/,
  ],
]

test.each(share(broken, 3))(
  'gives the reason why bubblewrap does not work in one sentence: %s',
  async (script, reason) => {
    const PATH = `${await fakeBubblewrap(script)}:${process.env['PATH']}`
    const { host, root } = await machine({ environment: { PATH }, sandbox: { use: 'bubblewrap' } })
    const failed = await host.processes.run('touch x', { timeout: 5000 }).catch((e: Error) => e)
    const { message } = failed as Error
    expect(message.replace('The required sandbox does not work: bubblewrap: ', '')).toMatch(reason)
    expect(existsSync(join(root, 'x'))).toBe(false)
  },
)

test('runs no command if the required sandbox does not work', async () => {
  const { host } = await machine({ environment: nowhere, sandbox: { use: 'bubblewrap' } })
  await expect(host.processes.run('true', { timeout: 5000 })).rejects.toMatchObject({
    errorType: 'execution_failed',
    message: expect.stringContaining('bubblewrap: it is not installed'),
  })
})

test('the sandbox can be turned off', async () => {
  const { host } = await machine({ sandbox: { use: 'none' } })
  expect(await host.processes.sandbox()).toMatchObject({ name: 'none', missing: [] })
})

describe('a program in the workspace named like a sandbox', () => {
  test.each(['its folder', 'a link to its folder'])(
    'is not started, although the PATH contains %s',
    async (how) => {
      const { root, storage } = await machine()
      const [ran, link] = [join(root, 'ran'), join(storage, 'link')]
      const script = `#!/bin/sh\necho x > '${ran}'\necho ready\n`
      await writeFile(join(root, 'bwrap'), script, { mode: 0o755 })
      await symlink(root, link)
      const host = nodeHost({
        fileSystem: nodeFileSystem({ cwd: root }),
        storage: { folder: storage },
        environment: { PATH: `${how === 'its folder' ? root : link}:${process.env['PATH']}` },
      })
      onTestFinished(() => host.close())
      const { name, missing } = await host.processes.sandbox()
      expect(existsSync(ran)).toBe(false)
      // sandbox-runtime starts programs by name, so it is not tried.
      if (name === 'none') expect(missing[1]?.reason).toContain('which is in the workspace')
      else expect(name).toBe('bubblewrap')
    },
  )
})
