import { createServer } from 'node:http'
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '@toolglot/permissions/node'
import type { Host } from '../host/host.ts'
import type { CommandResult } from '../host/processes.ts'
import { lives, machine } from '../../test/machine.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { isLong, share } from '../../../../tests/helpers/size.ts'
import { listenUntilEnd } from '../../../../tests/helpers/free-ports.ts'

const missing = await lacks('bubblewrap')
const sandbox = { use: 'bubblewrap' } as const
/** The folder is not in a temporary folder, since those are hidden in the sandbox. */
const elsewhere = join(import.meta.dirname, '../../../../node_modules')

async function run(host: Host, command: string, timeout = 20_000): Promise<CommandResult> {
  return await host.processes.run(command, { timeout })
}

describe.skipIf(missing)('bubblewrap', () => {
  test('describes itself', async () => {
    const { host } = await machine({ sandbox })
    expect(await host.processes.sandbox()).toMatchObject({ name: 'bubblewrap', missing: [] })
    expect(await run(host, 'echo x')).toMatchObject({ stdout: 'x\n', sandbox: 'bubblewrap' })
  })

  test('only the workspace is writable', async () => {
    const { host, root, storage } = await machine({ sandbox }, elsewhere)
    expect(await run(host, 'echo hi > a && mkdir b && cat a')).toMatchObject({ stdout: 'hi\n' })
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('hi\n')
    const outside = [
      '/',
      '/usr',
      '/etc',
      homedir(),
      storage,
      elsewhere,
      '/sys/kernel',
      '/proc/sys/kernel/core_pattern',
    ]
    const writable = `for path in ${outside.join(' ')}; do [ -w $path ] && echo $path; done; echo seen`
    expect((await run(host, writable)).stdout).toBe('seen\n')
    expect((await run(host, 'touch /usr/x')).notes).toEqual([
      expect.stringContaining("sandbox doesn't let commands write /usr/x"),
    ])
  })

  test('one command can get network access, and the next has none again', async () => {
    const port = await listenUntilEnd(createServer((_request, response) => response.end('reached')))
    const { host } = await machine({ sandbox })
    const { processes } = host
    const connect = `exec 5<>/dev/tcp/127.0.0.1/${port} && echo reached`
    const options = { timeout: 20_000 }
    expect((await processes.run(connect, options)).stdout).toBe('')
    expect(await processes.run(connect, { ...options, network: 'all' })).toMatchObject({
      stdout: 'reached\n',
      sandbox: 'bubblewrap',
    })
    expect((await processes.run(connect, options)).stdout).toBe('')
    expect(await processes.run('[ -w /usr ]', { ...options, network: 'all' })).toMatchObject({
      exitCode: 1,
    })
  })

  test('reports the network limit, and the hosts in a command', async () => {
    const { host } = await machine({ sandbox })
    expect(await host.processes.network?.('npm install && curl https://Example.com/x')).toEqual({
      reaches: [],
      suggested: ['registry.npmjs.org', 'example.com'],
    })
    const { host: open } = await machine({ sandbox: { ...sandbox, network: 'host' } })
    expect(await open.processes.network?.('npm install')).toBeUndefined()
  })

  test('has no network if hosts require another sandbox, and reports that', async () => {
    const { host } = await machine({ sandbox })
    const ended = await host.processes.run('true', { timeout: 20_000, network: ['example.org'] })
    expect(ended.sandbox).toBe('bubblewrap')
    expect(ended.notes).toEqual([expect.stringContaining('could not reach what the user allowed')])
  })

  test('cannot be undone from inside', async () => {
    const { host } = await machine({ sandbox })
    const commands = [
      'mount -o remount,rw /usr',
      'unshare -Urm mount -o remount,rw /usr',
      'unshare -Urm umount /usr',
      'mknod disk b 8 0',
      'chroot /proc/1/root touch /usr/x',
    ]
    for (const command of share(commands, 2))
      expect((await run(host, `${command} && touch /usr/toolglot-x`)).exitCode).not.toBe(0)
    await expect(stat('/usr/toolglot-x')).rejects.toThrow()
  })

  test('/tmp is private, and persists between commands', async () => {
    const { host } = await machine({ sandbox })
    await run(host, 'echo kept > /tmp/toolglot-note')
    expect((await run(host, 'cat /tmp/toolglot-note; echo $TMPDIR')).stdout).toBe('kept\n/tmp\n')
    await expect(stat('/tmp/toolglot-note')).rejects.toThrow()
  })

  test('has no network, not even the loopback interface of the host', async () => {
    const port = await listenUntilEnd(createServer((_request, response) => response.end('reached')))
    const command = `exec 5<>/dev/tcp/127.0.0.1/${port} && echo reached`
    const { host } = await machine({ sandbox })
    expect(await run(host, command)).toMatchObject({ stdout: '', exitCode: 1 })
    const { host: open } = await machine({ sandbox: { ...sandbox, network: 'host' } })
    expect((await run(open, command)).stdout).toBe('reached\n')
  })

  test('cannot see other processes', async () => {
    const { host } = await machine({ sandbox })
    const { stdout } = await run(host, 'echo /proc/[0-9]*')
    expect(stdout.trim().split(' ').length).toBeLessThan(6)
    expect((await run(host, `kill -0 ${process.ppid}`)).exitCode).toBe(1)
  })

  describe('files that determine later commands', () => {
    const files = ['.toolglot', '.vscode', '.idea', '.claude', '.git/hooks', '.github/workflows']
    const others = [
      'AGENTS.md',
      '.github/workflows/ci.yml',
      '.envrc',
      '.aider.conf.yml',
      '.husky/x',
      '.config/lefthook.yml',
      'azure-pipelines-release.yaml',
    ]
    const guarded = [
      ...files.map((path) => `${path}/file`),
      ...['.mcp.json', '.git/config', '.git/commondir', '.git/config.worktree'],
      ...others,
      ...['app/deep/AGENTS.md', 'app/.vscode/x', 'lib/.git/config', 'vendor/x/.git/hooks/y'],
    ]
    test.each(share(guarded, 6))('%s cannot be changed', async (file) => {
      const { host, root } = await machine({ sandbox })
      await mkdir(join(root, file, '..'), { recursive: true })
      await writeFile(join(root, file), 'before')
      const top = file.split('/')[0]
      for (const command of [
        `echo x > ${file}`,
        `rm ${file}`,
        `mv ${file} away`,
        `ln ${file} link && echo x > link`,
        `cp -r ${top} copy && rm -rf ${top} && mv copy ${top}`,
        `chmod 777 ${file}`,
      ])
        expect([command, (await run(host, command)).exitCode]).not.toEqual([command, 0])
      expect(await readFile(join(root, file), 'utf8')).toBe('before')
    })

    test('cannot be changed if they are hooks in a folder from a setting', async () => {
      const { host, root } = await machine({ sandbox })
      execFileSync('git', ['init', '-q', root])
      execFileSync('git', ['-C', root, 'config', 'core.hooksPath', 'tools/hooks'])
      await mkdir(join(root, 'tools/hooks'), { recursive: true })
      for (const command of ['echo x > tools/hooks/pre-commit', 'mv tools away', 'rm -r tools'])
        expect([command, (await run(host, command)).exitCode]).not.toEqual([command, 0])
      expect((await run(host, 'echo x > tools/other')).exitCode).toBe(0)
      expect(await readdir(join(root, 'tools/hooks'))).toEqual([])
    })

    test('can be linked, and unguarded files can be created', async () => {
      const { host, root } = await machine({ sandbox })
      await writeFile(join(root, 'AGENTS.md'), 'before')
      await symlink('AGENTS.md', join(root, 'CLAUDE.md'))
      expect(await run(host, 'echo x > CLAUDE.md')).not.toMatchObject({ exitCode: 0 })
      expect(await readFile(join(root, 'AGENTS.md'), 'utf8')).toBe('before')
      expect(await run(host, 'echo {} > package.json; ls')).toMatchObject({
        exitCode: 0,
        stdout: 'AGENTS.md\nCLAUDE.md\npackage.json\n',
      })
    })

    test('do not keep git from working in a repository', async () => {
      const { host, root } = await machine({ sandbox })
      execFileSync('git', ['init', '-q', root])
      const identity = '-c user.name=a -c user.email=a@b'
      const ended = await run(
        host,
        `echo a > a && git add a && git ${identity} commit -qm a && git status --short && git log --format=%s`,
      )
      expect(ended).toMatchObject({ stdout: 'a\n', exitCode: 0 })
      expect((await run(host, 'git config core.fsmonitor ./odd')).exitCode).not.toBe(0)
    })

    test('cannot be avoided by redirecting a repository to other settings', async () => {
      const { host, root } = await machine({ sandbox })
      execFileSync('git', ['init', '-q', root])
      for (const name of ['commondir', 'config.worktree']) {
        const made = await run(host, `echo ../odd > .git/${name}`)
        expect(made.notes.join()).toContain(`The new .git/${name} was moved out of the way`)
        expect(await readdir(join(root, '.git'))).not.toContain(name)
      }
      const used = 'git config user.name && echo x > x && git add x && git commit -qm x && git log'
      execFileSync('git', ['-C', root, 'config', 'user.name', 'me'])
      execFileSync('git', ['-C', root, 'config', 'user.email', 'me@example.com'])
      expect((await run(host, used)).exitCode).toBe(0)
    })

    test.each(share(['', 'with settings of their own'], 2))(
      'nor by a linked worktree elsewhere %s',
      async (settings) => {
        const { host, root } = await machine({ sandbox })
        const { root: outside } = await machine({}, elsewhere)
        const git = ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b']
        execFileSync('git', ['init', '-q', root])
        if (settings) execFileSync('git', [...git, 'config', 'extensions.worktreeConfig', 'true'])
        execFileSync('git', [...git, 'commit', '-qm', 'begun', '--allow-empty'])
        execFileSync('git', [...git, 'worktree', 'add', '-q', join(outside, 'second')])
        const recorded = '.git/worktrees/second'
        const tries = [`echo /odd > ${recorded}/commondir`, `mv ${recorded} x`, `rm -r ${recorded}`]
        for (const text of tries) expect((await run(host, text)).exitCode).not.toBe(0)
        expect(await readFile(join(root, recorded, 'commondir'), 'utf8')).toBe('../..\n')
        await run(host, `echo '[core]' > ${recorded}/config.worktree`)
        expect(await readdir(join(root, recorded))).not.toContain('config.worktree')
        // Worktrees inside the workspace can be created and removed.
        const own = 'git worktree add -q inner && git worktree remove inner'
        expect((await run(host, own)).exitCode).toBe(0)
        if (!settings && isLong) expect((await run(host, 'git gc -q')).exitCode).toBe(0)
      },
    )

    test('include the settings of a submodule', async () => {
      const { host, root } = await machine({ sandbox })
      const { root: library } = await machine({}, elsewhere)
      const git = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always']
      for (const each of [root, library]) {
        execFileSync('git', ['init', '-q', each])
        execFileSync('git', [...git, '-C', each, 'commit', '-qm', 'begun', '--allow-empty'])
      }
      const add = ['submodule', 'add', '-q', '--name', 'libs/one', library, 'one']
      execFileSync('git', [...git, '-C', root, ...add], { stdio: 'ignore' })
      for (const text of [
        'git -C one config core.fsmonitor ./odd',
        'echo x > .git/modules/libs/one/hooks/post-checkout',
        'echo x > y && mv y .git/modules/libs/one/config',
      ])
        expect([text, (await run(host, text)).exitCode]).not.toEqual([text, 0])
      const used = `echo x > one/x && git -C one add x && git ${git.slice(0, 4).join(' ')} -C one commit -qm x && git status --short`
      expect(await run(host, used)).toMatchObject({ exitCode: 0, stderr: '' })
    })

    test('include a repository with its own settings that git is made to track', async () => {
      const { host, root } = await machine({ sandbox })
      execFileSync('git', ['init', '-q', root])
      for (const name of ['harmless', 'odd']) {
        const git = ['-C', join(root, name), '-c', 'user.name=a', '-c', 'user.email=a@b']
        execFileSync('git', ['init', '-q', join(root, name)])
        execFileSync('git', [...git, 'commit', '-qm', 'a', '--allow-empty'])
        if (name === 'odd') execFileSync('git', [...git, 'config', 'core.fsmonitor', './x'])
      }
      expect((await run(host, 'git add harmless')).notes).toEqual([])
      expect((await run(host, 'git add odd')).notes.join()).toContain(`of their own: ${root}/odd.`)
      expect((await run(host, 'true')).notes).toEqual([])
    })

    test('do not hide the repository around a workspace', async () => {
      const { root } = await machine({}, elsewhere)
      execFileSync('git', ['init', '-q', root])
      await mkdir(join(root, 'package'))
      const fileSystem = nodeFileSystem({ cwd: join(root, 'package') })
      const { host: inner } = await machine({ sandbox, fileSystem })
      expect((await run(inner, 'git rev-parse --show-toplevel')).stdout).toBe(`${root}\n`)
    })

    test('include a .git file that points to a repository elsewhere', async () => {
      const { host, root } = await machine({ sandbox })
      await writeFile(join(root, '.git'), 'gitdir: /elsewhere')
      expect((await run(host, 'echo "gitdir: odd" > .git')).exitCode).not.toBe(0)
      expect((await run(host, 'mv .git x')).exitCode).not.toBe(0)
    })

    test('leave no traces, even with many concurrent commands', async () => {
      const { host, root } = await machine({ sandbox })
      await Promise.all(Array.from({ length: 10 }, () => run(host, 'mkdir -p .toolglot/x')))
      expect(await readdir(root)).toEqual([])
    })
  })

  test('ends all processes with the command', async () => {
    const { host } = await machine({ sandbox })
    const ended = await run(host, 'setsid sleep 321 & sleep 322 & echo done')
    expect(ended).toMatchObject({ stdout: 'done\n', exitCode: 0 })
    expect(ended.notes).toEqual([expect.stringContaining('left running')])
    expect((await run(host, 'true')).notes).toEqual([])
    const late = await run(host, 'trap "echo bye; exit" TERM; while :; do sleep 0.05; done', 500)
    expect(late).toMatchObject({ stdout: 'bye\n', timedOut: 'total' })
    const deaf = await run(host, 'trap "" TERM; setsid sleep 323 & while :; do sleep 1; done', 300)
    expect(deaf).toMatchObject({ timedOut: 'total' })
    expect(lives(deaf.pid)).toBe(false)
    const commands = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    expect(commands).not.toMatch(/^sleep 32[123]$/m)
  })

  test('supports cd, exit codes and the environment as without a sandbox', async () => {
    const { host, root } = await machine({ sandbox })
    await run(host, 'mkdir sub; cd sub')
    expect(host.processes.cwd).toBe(join(root, 'sub'))
    expect(await run(host, 'pwd; cd /etc; exit 7')).toMatchObject({
      stdout: `${root}/sub\n`,
      exitCode: 7,
    })
    expect(host.processes.cwd).toBe(join(root, 'sub'))
  })

  test('supports commands in the background', async () => {
    const { host, root } = await machine({ sandbox })
    const task = await host.processes.start('echo a; sleep 300')
    await task.wait({ timeout: 5000, untilOutput: true })
    expect((await task.read()).text).toBe('a\n')
    await task.stop()
    expect([task.status, lives(task.pid), await readdir(root)]).toEqual(['stopped', false, []])
  })
})
