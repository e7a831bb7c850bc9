import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decide, type Decision, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { machine } from '../../test/machine.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { share } from '../../../../tests/helpers/size.ts'

const KINDS = [
  { name: 'bubblewrap', network: 'none' },
  { name: 'sandbox-runtime', network: ['example.org'] },
] as const

async function out(host: Host, command: string): Promise<string> {
  const { stdout, stderr } = await host.processes.run(command, { timeout: 20_000 })
  return stdout + stderr
}

for (const { name, network } of share(KINDS, 2)) {
  const missing = await lacks(name)
  describe.skipIf(missing)(name, () => {
    const sandbox = { use: name, network } as const

    describe.each(share(['/tmp', '/var/tmp'], 2))('a project in %s', (place) => {
      async function folder(): Promise<string> {
        const made = await realpath(await mkdtemp(join(place, 'toolglot-')))
        onTestFinished(() => rm(made, { recursive: true, force: true }))
        return made
      }

      async function hostIn(root: string): Promise<Host> {
        return (await machine({ sandbox, fileSystem: nodeFileSystem({ cwd: root }) })).host
      }

      test.each(['.', 'deep/inside'])(
        'is visible at %s, but files in other temporary folders are not',
        async (where) => {
          const top = await folder()
          const root = join(top, where)
          await mkdir(root, { recursive: true })
          await writeFile(join(root, 'a'), 'mine\n')
          const stranger = await folder()
          const host = await hostIn(root)
          expect(await out(host, 'pwd; cat a; echo more >> a; echo $TMPDIR')).toBe(
            `${root}\nmine\n/tmp\n`,
          )
          expect(await readFile(join(root, 'a'), 'utf8')).toBe('mine\nmore\n')
          expect(await out(host, `ls ${stranger}`)).toContain('No such file')
          const note = `note-${process.pid}`
          expect(
            await out(host, `echo kept > /tmp/${note}; cat /var/tmp/${note} /tmp/${note}`),
          ).toBe('kept\nkept\n')
          expect(existsSync(`/tmp/${note}`)).toBe(false)
          if (where !== '.') {
            expect(await out(host, `touch ${top}/x`)).toContain('Read-only file system')
            expect(readdirSync(top)).toEqual(['deep'])
          }
          await host.close()
          expect(readdirSync(root)).toEqual(['a'])
        },
      )

      test('sees its repository, but cannot change it', async () => {
        const top = join(await folder(), 'repository')
        execFileSync('git', ['init', '-q', top])
        await mkdir(join(top, 'package'))
        await writeFile(join(top, 'shared'), 'x')
        await writeFile(join(top, '..', 'other'), 'x')
        const host = await hostIn(join(top, 'package'))
        expect(await out(host, 'git rev-parse --show-toplevel; cat ../shared; ls -A ../..')).toBe(
          `${top}\nxrepository\n`,
        )
        expect(await out(host, 'echo x > ../shared')).toContain('Read-only file system')
        expect(await out(host, 'git add .. && echo added')).not.toContain('added')
      })

      test('that is a linked worktree sees the shared git folder', async () => {
        const first = join(await folder(), 'first')
        const git = ['-C', first, '-c', 'user.name=a', '-c', 'user.email=a@b']
        execFileSync('git', ['init', '-q', first])
        execFileSync('git', [...git, 'commit', '-q', '--allow-empty', '-m', 'begun'])
        const second = join(await folder(), 'second')
        execFileSync('git', [...git, 'worktree', 'add', '-q', second])
        const host = await hostIn(second)
        expect(await out(host, 'git log --format=%s; git status --short')).toBe('begun\n')
        // Checks that this is not a file of the private folder.
        const command = `cat ${first}/.git/config`
        expect(await out(host, command)).toContain('repositoryformatversion')
        const permissions = readRules({ allow: ['Bash(cat:*)'] })
        const decisionOn = (text: string): Promise<Decision> =>
          decide({ name: 'Bash', args: { command: text } }, permissions, host.fileSystem)
        expect(await decisionOn(command)).toMatchObject({
          verdict: 'ask',
          why: 'outside the workspace',
        })
        expect(await decisionOn('cat /tmp/other/config')).toMatchObject({ verdict: 'allow' })
      })

      test("cannot see another user's folder as its repository", async () => {
        const [root, stranger] = [await folder(), await folder()]
        await writeFile(join(stranger, 'HEAD'), 'x')
        await mkdir(join(root, 'fake'))
        await writeFile(join(root, 'fake/HEAD'), 'ref: refs/heads/main')
        await writeFile(join(root, 'fake/commondir'), stranger)
        for (const target of ['fake', stranger]) {
          await writeFile(join(root, '.git'), `gitdir: ${target}\n`)
          expect(await out(await hostIn(root), `ls ${stranger}`)).toContain('No such file')
        }
      })
    })

    test.each(['/tmp', '/var/tmp', '/var'])('cannot be %s itself', async (cwd) => {
      const { host } = await machine({ sandbox, fileSystem: nodeFileSystem({ cwd }) })
      await expect(host.processes.run('true', { timeout: 5000 })).rejects.toMatchObject({
        details: { code: 'sandbox' },
        message: expect.stringContaining('Work in a subfolder'),
      })
    })

    test('cannot access our own view of the file system through our processes', async () => {
      const { host, root } = await machine({ sandbox }, '/var/tmp')
      const name = `toolglot-${process.pid}`
      await out(
        host,
        `for one in /proc/[0-9]*; do touch $one/root/usr/${name} $one/cwd/${name} $one/root${root}/.claude/x; done`,
      )
      expect(existsSync(`/usr/${name}`)).toBe(false)
      expect(existsSync(join(root, '.claude'))).toBe(false)
    })
  })
}
