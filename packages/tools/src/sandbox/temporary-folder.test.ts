import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { wrapCommandWithSandboxMacOS } from '@anthropic-ai/sandbox-runtime/dist/sandbox/macos-sandbox-utils.js'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describe, expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { machine } from '../../test/machine.ts'
import { policyFor } from '../../test/sandboxes.ts'
import { viewFor, visibleMounts } from './mounts.ts'
import type { Policy } from './sandbox.ts'
import { filesystemFor } from './sandbox-runtime.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { share } from '../../../../tests/helpers/size.ts'

const missing = await lacks('bubblewrap')

/**
 * Paths where programs store keys. Only a list for tests: the sandbox itself has no list of
 * secrets.
 */
const SECRETS = `
  .ssh/id_ed25519 .gnupg/private-keys-v1.d/a.key .aws/credentials .azure/token .kube/config .netrc .npmrc .pypirc .pgpass
  .docker/config.json .git-credentials .config/git/credentials .config/gh/hosts.yml .config/glab-cli/config.yml
  .config/gcloud/credentials.db .config/rclone/rclone.conf .config/op/config .config/doctl/config.yaml
  .config/hcloud/cli.toml .config/.wrangler/config/default.toml .config/github-copilot/hosts.json
  .config/google-chrome/Default/Cookies .config/chromium/Default/Cookies .config/microsoft-edge/Default/Cookies
  .config/vivaldi/Default/Cookies .config/BraveSoftware/x/Cookies .mozilla/firefox/a/logins.json
  snap/firefox/common/.mozilla/firefox/a/key4.db .claude.json .claude/.credentials.json .codex/auth.json
  .gemini/oauth_creds.json .qwen/oauth_creds.json .local/share/opencode/auth.json .fly/config.yml
  .local/share/com.vercel.cli/auth.json .config/pypoetry/auth.toml .gradle/gradle.properties .m2/settings.xml
  .m2/settings-security.xml .config/containers/auth.json .local/share/keyrings/login.keyring .password-store/a.gpg
  .vault-token .terraform.d/credentials.tfrc.json .oci/oci_api_key.pem .gem/credentials .local/share/gem/credentials
  .composer/auth.json .config/composer/auth.json .cargo/credentials.toml .cargo/credentials .config/pip/pip.conf
  .local/share/uv/credentials/credentials.toml .luarocks/upload_config.lua .hex/hex.config .nuget/NuGet/NuGet.Config
  .config/NuGet/NuGet.Config .dotnet/corefx/cryptography/x509stores/my/a.pfx .android/debug.keystore .condarc
  .config/heroku/credentials .config/netlify/config.json .railway/config.json .config/stripe/config.toml
  .config/sops/age/keys.txt .age/key.txt .config/Bitwarden/data.json .config/1Password/settings .local/state/toolglot/journal.sqlite
  .local/state/toolglot/tokens.json .bash_history .zsh_history .python_history .node_repl_history .psql_history
  .config/Slack/Cookies .config/discord/Cookies .thunderbird/a/logins.json .config/Code/User/globalStorage/state.vscdb
  .cursor/mcp.json .config/zed/settings.json .pulumi/credentials.json .databrickscfg .snowflake/config.toml
  .s3cfg .boto .my.cnf .config/gspread/a.json .kaggle/kaggle.json .huggingface/token .cache/huggingface/token
  .config/wandb/settings .jupyter/jupyter_server_config.json .ipython/history.sqlite Documents/passwords.kdbx
  .bashrc .profile .envrc .env other-project/.env`
  .split(/\s+/)
  .filter((path) => path !== '')

/** The secrets that most tests look for. */
const SOME = [
  '.ssh/id_ed25519',
  '.netrc',
  '.config/gh/hosts.yml',
  'other-project/.env',
  '.local/state/toolglot/tokens.json',
]

/** A home folder with some of these secrets and with `work` as the workspace. */
async function home(
  paths: readonly string[] = SOME,
): Promise<{ readonly host: Host; readonly home: string }> {
  const { root } = await machine()
  for (const path of paths) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), 'SECRET\n')
  }
  await mkdir(join(root, 'work'))
  const fileSystem = nodeFileSystem({ cwd: join(root, 'work'), home: root })
  const environment = { PATH: process.env['PATH'], HOME: root }
  const { host } = await machine({
    sandbox: { use: 'bubblewrap' },
    fileSystem,
    environment,
  })
  return { host, home: root }
}

async function out(host: Host, command: string): Promise<string> {
  const { stdout, stderr } = await host.processes.run(command, { timeout: 20_000 })
  return stdout + stderr
}

describe.skipIf(missing)('the home folder', () => {
  test(`hides all of ${SECRETS.length} files with secrets`, async () => {
    expect(SECRETS.length).toBeGreaterThan(80)
    const { host } = await home(SECRETS)
    expect(await out(host, `cd ~ && cat ${SECRETS.join(' ')}`)).not.toContain('SECRET')
    expect(await out(host, 'grep -rIsx SECRET ~ /home /root /mnt /tmp')).toBe('')
  })

  test('hides them even through links, moved homes or variables', async () => {
    const { root: elsewhere } = await machine(
      {},
      join(import.meta.dirname, '../../../../node_modules'),
    )
    await writeFile(join(elsewhere, 'kube'), 'SECRET')
    const { host, home: folder } = await home()
    await symlink(join(folder, '.ssh'), join(folder, 'work/link'))
    await symlink(elsewhere, join(folder, 'work/kube'))
    expect(await out(host, 'cat link/* kube/kube')).not.toContain('SECRET')
  })

  test("reveals no files through a command's link, even if variables and settings use it", async () => {
    const { home: folder } = await home()
    const { root: elsewhere } = await machine()
    const [work, venv, current] = [
      join(folder, 'work'),
      join(elsewhere, 'alias/venv'),
      join(elsewhere, 'current'),
    ]
    await symlink(work, join(elsewhere, 'alias'))
    await symlink(venv, current)
    const { host } = await machine({
      fileSystem: nodeFileSystem({ cwd: work, home: folder }),
      environment: {
        PATH: `${process.env['PATH']}:${venv}/bin`,
        VIRTUAL_ENV: venv,
        NVM_DIR: current,
      },
      sandbox: {
        use: 'bubblewrap',
        read: [join(elsewhere, 'alias/data')],
        write: [join(elsewhere, 'alias/inner')],
      },
    })
    for (const path of ['venv', 'data', 'inner']) await mkdir(join(work, path))
    await out(host, 'rmdir venv data inner; for x in venv data inner; do ln -s ../.ssh $x; done')
    const keys = ['venv', 'data', 'inner'].map((name) =>
      join(elsewhere, 'alias', name, 'id_ed25519'),
    )
    expect(await out(host, `cat ${keys.join(' ')} ${current}/id_ed25519`)).not.toContain('SECRET')
    const again = await machine({
      fileSystem: nodeFileSystem({ cwd: work, home: folder }),
      sandbox: { use: 'bubblewrap', write: [join(elsewhere, 'alias/inner')] },
    })
    expect(await out(again.host, 'cat ../.ssh/id_ed25519 inner/id_ed25519')).not.toContain('SECRET')
  })

  test('shows toolchains, which can be run but not changed', async () => {
    const { host, home: folder } = await home()
    const toolchains = ['.cargo/bin', '.nvm/versions/node/v1/bin', '.local/bin', 'go/bin']
    for (const path of share(toolchains, 2)) {
      await mkdir(join(folder, path), { recursive: true })
      await writeFile(join(folder, path, 'tool'), '#!/bin/sh\necho ran\n')
      await chmod(join(folder, path, 'tool'), 0o755)
      expect(await out(host, `~/${path}/tool`)).toBe('ran\n')
      expect(await out(host, `echo x > ~/${path}/tool`)).toContain('Read-only file system')
    }
  })

  test('shows toolchains elsewhere by their variables and the PATH, unless they contain the home folder', async () => {
    const { home: folder } = await home()
    for (const path of ['envs/one/bin', 'opt/node/bin', 'opt/node/lib'])
      await mkdir(join(folder, path), { recursive: true })
    for (const path of [
      'envs/one/pyvenv.cfg',
      'opt/node/bin/x',
      'opt/node/lib/y',
      'opt/node/.npmrc',
    ])
      await writeFile(join(folder, path), `${path}\n`)
    const environment = {
      PATH: `${folder}/opt/node/bin:${folder}:${process.env['PATH']}`,
      HOME: folder,
      VIRTUAL_ENV: `${folder}/envs/one`,
      JAVA_HOME: folder,
      GOROOT: dirname(folder),
    }
    const fileSystem = nodeFileSystem({ cwd: join(folder, 'work'), home: folder })
    const { host } = await machine({ sandbox: { use: 'bubblewrap' }, fileSystem, environment })
    expect(await out(host, 'cd ~; cat envs/one/pyvenv.cfg opt/node/bin/x opt/node/lib/y')).toBe(
      'envs/one/pyvenv.cfg\nopt/node/bin/x\nopt/node/lib/y\n',
    )
    expect(await out(host, 'cd ~; cat opt/node/.npmrc .netrc')).not.toMatch(/SECRET|^opt/)
  })

  test('has caches private to the run, and rejects all other new files', async () => {
    const { host, home: folder } = await home()
    expect(await out(host, 'echo x > ~/.cache/a; mkdir -p ~/.npm/_cacache && echo ok')).toBe('ok\n')
    expect(await out(host, 'cat ~/.cache/a')).toBe('x\n')
    await expect(readFile(join(folder, '.cache/a'))).rejects.toThrow()
    for (const path of share(['new', '.config/x', '.local/x', '.cargo/x', 'work-2/x'], 2))
      expect(await out(host, `mkdir -p $(dirname ~/${path}) && echo x > ~/${path}`)).toMatch(
        /Permission denied|Read-only|No such file/,
      )
  })

  test("gives git the user's identity, but neither credentials nor helpers", async () => {
    const { home: folder } = await home()
    const config = ['user.name', 'A "B" \\C'],
      helper = ['credential.helper', '!echo SECRET']
    for (const [key, value] of [config, helper, ['alias.x', '!echo SECRET'], ['user.email', 'a@b']])
      execFileSync('git', ['config', '--file', join(folder, '.gitconfig'), key!, value!])
    const fileSystem = nodeFileSystem({ cwd: join(folder, 'work'), home: folder })
    const environment = { PATH: process.env['PATH'], HOME: folder }
    const { host } = await machine({ sandbox: { use: 'bubblewrap' }, fileSystem, environment })
    expect(await out(host, 'git config --global --list')).toBe(
      'user.name=A "B" \\C\nuser.email=a@b\n',
    )
  })

  test('shows more with sandbox.read and sandbox.write', async () => {
    const { home: folder } = await home()
    const fileSystem = nodeFileSystem({ cwd: join(folder, 'work'), home: folder })
    const sandbox = {
      use: 'bubblewrap',
      read: [join(folder, '.netrc'), join(folder, 'none')],
      write: [join(folder, 'other-project')],
    } as const
    const { host } = await machine({ sandbox, fileSystem })
    expect(await out(host, `cat ${folder}/.netrc; echo x > ${folder}/other-project/y`)).toBe(
      'SECRET\n',
    )
    expect(await readFile(join(folder, 'other-project/y'), 'utf8')).toBe('x\n')
    expect(await out(host, `echo x > ${folder}/.netrc`)).toContain('Read-only')
  })

  test('reports a missing hidden path with the setting', async () => {
    const { host, home: folder } = await home()
    const read = await host.processes.run('cat ~/.config/gh/hosts.yml', { timeout: 20_000 })
    expect(read.notes.join()).toContain(`doesn't show ${folder}/.config/gh/hosts.yml to commands`)
    expect(read.notes.join()).toContain('"sandbox": { "read"')
    const write = await host.processes.run('echo x > ~/notes', { timeout: 20_000 })
    expect(write.notes.join()).toContain(`doesn't let commands write ${folder}/notes`)
    expect(write.notes.join()).toContain('"sandbox": { "write"')
    const other = await host.processes.run('cat nothing', { timeout: 20_000 })
    expect(other.notes).toEqual([])
  })

  test.each(['.', '..'])(
    'requires confirmation for a workspace that is %s of the home folder',
    async (where) => {
      const { home: folder } = await home()
      const { root: around } = await machine()
      const cwd = where === '.' ? folder : around
      const fileSystem = nodeFileSystem({ cwd, home: where === '.' ? folder : join(around, 'me') })
      await mkdir(join(around, 'me'))
      const { host } = await machine({ sandbox: { use: 'bubblewrap' }, fileSystem })
      await expect(host.processes.run('true', { timeout: 20_000 })).rejects.toMatchObject({
        message: expect.stringContaining('SSH keys'),
        details: { code: 'home_exposed' },
      })
      const sandbox = { use: 'bubblewrap', exposeHome: true } as const
      const { host: open } = await machine({ sandbox, fileSystem })
      expect((await open.processes.run('ls -A', { timeout: 20_000 })).exitCode).toBe(0)
    },
  )

  test('is not shown because of a repository in the home folder itself', async () => {
    const { host, home: folder } = await home()
    execFileSync('git', ['init', '-q', folder])
    expect(await out(host, 'cat ../.netrc ../.git/config')).not.toMatch(/SECRET|core/)
  })

  test('hides our own state when exposed, and a link to the home folder works', async () => {
    const { home: folder } = await home()
    const storage = { folder: join(folder, '.local/state/toolglot') }
    const fileSystem = nodeFileSystem({ cwd: folder, home: folder })
    const sandbox = { use: 'bubblewrap', exposeHome: true } as const
    const { host } = await machine({ sandbox, fileSystem, storage })
    expect(await out(host, 'cat .local/state/toolglot/*; cat .netrc')).toMatch(
      /^SECRET\ncat: .*No such/,
    )
    const { root: elsewhere } = await machine()
    await symlink(folder, join(elsewhere, 'me'))
    const linked = nodeFileSystem({ cwd: join(folder, 'work'), home: join(elsewhere, 'me') })
    const environment = { PATH: process.env['PATH'], HOME: join(elsewhere, 'me') }
    const { host: other } = await machine({
      sandbox: { use: 'bubblewrap' },
      fileSystem: linked,
      environment,
    })
    expect(await out(other, 'echo x > ~/.cache/a && cat ~/.cache/a; cat ~/.netrc')).toMatch(
      /^x\ncat: /,
    )
  })

  test.each(share(['commondir', 'a link', 'a folder of its own'], 3))(
    'shows no other repository because of %s',
    async (how) => {
      const { host, home: folder } = await home()
      const other = join(folder, 'other-project')
      execFileSync('git', ['init', '-q', other])
      const work = join(folder, 'work')
      if (how === 'a link') await symlink(join(other, '.git'), join(work, '.git'))
      else execFileSync('git', ['init', '-q', how === 'commondir' ? work : join(work, 'fake')])
      if (how === 'commondir') await writeFile(join(work, '.git/commondir'), join(other, '.git'))
      if (how === 'a folder of its own') {
        await writeFile(join(work, 'fake/.git/commondir'), join(other, '.git'))
        await writeFile(join(work, 'fake/.git/gitdir'), join(work, '.git'))
        await writeFile(join(work, '.git'), 'gitdir: fake/.git')
      }
      expect(await out(host, 'cat ../other-project/.git/HEAD')).toContain('No such file')
    },
  )

  test('shows no repository of another project because of a .git file', async () => {
    const { host, home: folder } = await home()
    execFileSync('git', ['init', '-q', join(folder, 'other-project')])
    await writeFile(join(folder, 'work/.git'), 'gitdir: ../other-project/.git\n')
    expect(await out(host, 'cat ../other-project/.git/HEAD')).toContain('No such file')
  })
})

test('is hidden for other users, even in a system folder', async () => {
  const { root } = await machine()
  const policy = { ...(await policyFor(join(root, 'work'))), home: '/var/home/me' }
  const view = viewFor(policy)
  expect(visibleMounts(policy, view).join(' ')).toMatch(
    /--tmpfs \/var\/home .*--remount-ro \/var\/home/,
  )
  expect(['/var/home/you/.netrc', '/var/log/x'].map((path) => view.isVisible(path))).toEqual([
    false,
    true,
  ])
})

test('is denied by the profile on macOS, as is creating protected files', async () => {
  const { root: home } = await machine()
  const work = join(home, 'work')
  for (const path of ['.nvm', 'work']) await mkdir(join(home, path))
  const policy: Policy = {
    cwd: work,
    writable: [work],
    readable: [join(home, 'extra')],
    logs: [],
    protection: { pinned: [], readOnly: [] },
    home,
    privateHome: '/private-home',
    temporary: '/temporary',
    state: join(home, 'state'),
    network: 'none',
    env: {},
    environment: {},
  }
  const { denyRead, allowRead, allowWrite, denyWrite } = filesystemFor(policy)
  const profile = wrapCommandWithSandboxMacOS({
    command: 'true',
    needsNetworkRestriction: true,
    readConfig: { denyOnly: denyRead, allowWithinDeny: allowRead },
    writeConfig: { allowOnly: allowWrite, denyWithinAllow: denyWrite },
  })
  const section = (start: string): string => profile.split(`\n(${start}`)[1]!.split('\n(')[0]!
  expect(section('deny file-read*')).toContain(`(subpath "${home}")`)
  const readable = [...section('allow file-read*\n').matchAll(/subpath "([^"]+)"/g)]
  expect(readable.map(([, path]) => path).sort()).toEqual(
    [
      '/private-home',
      '/temporary',
      ...['.nvm', 'extra', 'work'].map((name) => join(home, name)),
    ].sort(),
  )
  const denied = [...section('deny file-write*').matchAll(/regex "([^"]+)"/g)].map(
    ([, pattern]) => new RegExp(pattern!.replaceAll('\\\\', '\\')),
  )
  const isDenied = (path: string): boolean => denied.some((each) => each.test(join(work, path)))
  for (const path of ['.vscode/x', 'a/b/.VSCODE', 'AGENTS.md', 'lib/.git/hooks/x', '.aider.conf'])
    expect([path, isDenied(path)]).toEqual([path, true])
  for (const path of ['src/x', '.git/index', 'package.json', 'vscode'])
    expect([path, isDenied(path)]).toEqual([path, false])
  expect(() => filesystemFor({ ...policy, writable: ['/a[b]'] })).toThrow('Rename the folder')
})
