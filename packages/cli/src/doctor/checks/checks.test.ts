import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { lacks } from '../../../../../tests/helpers/abilities.ts'
import { type Files, folderOf } from '../../../../../tests/helpers/folder.ts'
import { workspaceOf } from '../../open-workspace.ts'
import type { Terminal } from '../../terminal.ts'
import { type CheckContext, type NamedFinding, runChecks } from '../check.ts'
import { checks } from './index.ts'

const PATH = process.env['PATH'] ?? ''
const SETTINGS = '.config/toolglot/settings.json'
const STATE = '.local/state/toolglot'

interface Machine extends Partial<Pick<Terminal, 'ask' | 'cwd'>> {
  readonly env?: Readonly<Record<string, string>>
  /** The files in the home folder. */
  readonly home?: Files
  readonly columns?: number
}

/** The findings of one check on a machine. */
async function check(name: string, machine: Machine = {}): Promise<NamedFinding[]> {
  const { env, home = {}, cwd = folderOf(), ask, columns } = machine
  const screen = Object.assign(new PassThrough(), columns !== undefined && { isTTY: true, columns })
  const terminal: Terminal = {
    input: Readable.from([]),
    hasInput: false,
    output: screen,
    errors: screen,
    env: { HOME: env?.['HOME'] ?? folderOf(home), ...env },
    cwd,
    ...(ask && { ask }),
  }
  const workspace = await workspaceOf({}, terminal)
  const chosen = checks.filter((each) => each.name === name)
  expect(chosen).toHaveLength(1)
  return runChecks(chosen, { workspace, terminal })
}

const containing = (text: string): string => expect.stringContaining(text) as string
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

interface Case extends Machine {
  readonly status: NamedFinding['status']
  readonly says: string
  readonly advice?: string
}

describe.each<[name: string, cases: Readonly<Record<string, Case>>]>([
  ['Node', { 'a version': { status: 'ok', says: matching(/^v\d+\.\d+\.\d+ on \w+ \w+$/) } }],
  [
    'model',
    {
      'a named one': {
        env: { TOOLGLOT_MODEL: 'ollama/qwen3:8b' },
        status: 'ok',
        says: matching(/^ollama\/qwen3:8b: .*TOOLGLOT_MODEL/),
      },
      'a name that is wrong': {
        env: { TOOLGLOT_MODEL: 'olama/qwen3:8b' },
        status: 'broken',
        says: containing('Did you mean ollama/'),
      },
      none: {
        env: { OLLAMA_HOST: 'http://127.0.0.1:9' },
        status: 'missing',
        says: containing(''),
        advice: containing('toolglot models'),
      },
    },
  ],
  [
    'ripgrep',
    {
      'the one that is installed': { status: 'ok', says: matching(/^ripgrep \d.*, \//) },
      'a path that is wrong': {
        env: { RG_PATH: '/nowhere/rg' },
        status: 'broken',
        says: containing('/nowhere/rg'),
        advice: containing('set RG_PATH'),
      },
    },
  ],
  [
    'PATH',
    { 'the usual folders': { env: { PATH: '/usr/bin' }, status: 'ok', says: containing('no') } },
  ],
  [
    // TypeScript's server is installed in this repository.
    'language servers',
    { one: { env: { PATH }, status: 'ok', says: containing('typescript') } },
  ],
  [
    'git',
    {
      'an empty PATH': {
        env: { PATH: '' },
        status: 'missing',
        says: 'not on the PATH',
        advice: containing('Install it'),
      },
    },
  ],
  [
    'web search',
    {
      'a key': { env: { BRAVE_API_KEY: 'key' }, status: 'ok', says: matching(/brave/i) },
      'a URL that is wrong': {
        env: { SEARXNG_URL: 'no address' },
        status: 'warning',
        says: containing('no address'),
        advice: containing('SEARXNG_URL'),
      },
      nothing: {
        status: 'missing',
        says: 'no search engine configured',
        advice: containing('SEARXNG_URL'),
      },
    },
  ],
  ['settings', { none: { status: 'ok', says: 'none, so the defaults apply' } }],
  ['trust', { 'no settings': { status: 'ok', says: containing('no settings that need trust') } }],
  ['state', { 'no folder yet': { status: 'ok', says: containing('created when needed') } }],
  ['temporary files', { 'a folder': { status: 'ok', says: tmpdir() } }],
  ['server', { 'no port yet': { status: 'ok', says: containing('never started') } }],
  [
    'terminal',
    {
      'a person': {
        columns: 120,
        ask: async () => 'y',
        env: { FORCE_COLOR: '1' },
        status: 'ok',
        says: '120 columns, colors',
      },
      'a pipe': {
        env: { NO_COLOR: '1' },
        status: 'ok',
        says: 'none, no colors (NO_COLOR); there is no user to ask, so calls that need approval are denied',
      },
    },
  ],
])('%s', (name, cases) => {
  test.each(Object.entries(cases))('%s', async (_, { status, says, advice, ...machine }) => {
    expect(await check(name, machine)).toEqual([
      { name, status, says, ...(advice !== undefined && { advice }) },
    ])
  })
})

describe('Node', () => {
  test.each([
    [{ version: 'v18.20.0' }, 'Install Node 20 or later.'],
    [{ platform: 'win32' }, 'Windows is not supported. Use WSL.'],
  ])('%j is broken', async (different, advice) => {
    const node = checks.find(({ name }) => name === 'Node')!
    const other: unknown = Object.create(process, Object.getOwnPropertyDescriptors(different))
    vi.stubGlobal('process', other)
    expect(node.run({} as CheckContext)).toMatchObject({ status: 'broken', advice })
  })
})

describe('git and PATH', () => {
  test('ignores a program named git in the folder', async () => {
    const cwd = folderOf({ git: '#!/bin/sh\necho mine\n' })
    chmodSync(join(cwd, 'git'), 0o755)
    const machine = { cwd, env: { PATH: `${cwd}:.` } }
    expect(await check('git', machine)).toMatchObject([{ status: 'missing' }])
    expect(await check('PATH', machine)).toMatchObject([
      { status: 'warning', says: containing(`has ${cwd}, .: `), advice: containing('Remove it') },
    ])
  })

  test('finds a program elsewhere with its version', async () => {
    const bin = folderOf({ git: '#!/bin/sh\necho git version 2\necho more\n' })
    chmodSync(join(bin, 'git'), 0o755)
    expect(await check('git', { env: { PATH: bin } })).toMatchObject([
      { status: 'ok', says: `git version 2, ${join(bin, 'git')}` },
    ])
  })
})

describe('settings and trust', () => {
  test('reports files, their problems and their trust state', async () => {
    const cwd = folderOf({
      '.toolglot/settings.json': { permissions: { allow: ['Grep'], alow: [] } },
    })
    expect(await check('settings', { cwd })).toMatchObject([
      { status: 'ok', says: join(cwd, '.toolglot/settings.json') },
      { status: 'warning', says: containing('alow'), advice: containing('needs approval') },
    ])
    expect(await check('trust', { cwd })).toMatchObject([
      { status: 'warning', says: containing('are not'), advice: containing('toolglot trust') },
    ])
  })
})

describe('own code', () => {
  const load = (settings: object): Promise<NamedFinding[]> =>
    check('own code', {
      home: {
        [SETTINGS]: settings,
        'tool.mjs':
          'export default { name: "ping", description: "", parameters: {}, execute() {} }',
        'broken.mjs': 'export const a = 1',
      },
    })

  test('is loaded as in a run', async () => {
    expect(await load({})).toEqual([])
    expect(await load({ tools: ['~/tool.mjs'] })).toMatchObject([
      { status: 'ok', says: 'tools: ping' },
    ])
  })

  test('is broken for tools, but not for protocols, that cannot be loaded', async () => {
    const settings = { tools: ['~/broken.mjs'], protocols: ['~/nowhere.mjs'] }
    expect(await load(settings)).toMatchObject([
      { status: 'broken', says: containing('broken.mjs') },
      { status: 'warning', says: containing('nowhere.mjs') },
    ])
  })
})

describe('state', () => {
  test('is reported if other users can read the folder', async () => {
    const HOME = folderOf({ [`${STATE}/x`]: '' })
    const state = join(HOME, STATE)
    chmodSync(state, 0o755)
    expect(await check('state', { env: { HOME } })).toMatchObject([
      { status: 'warning', says: `${state}, mode 755`, advice: containing('chmod 700') },
    ])
    chmodSync(state, 0o700)
    expect(await check('state', { env: { HOME } })).toMatchObject([{ status: 'ok' }])
  })

  test('is reported if there is a file in its place', async () => {
    expect(await check('state', { home: { [STATE]: '' } })).toMatchObject([
      { status: 'broken', says: containing('not a folder'), advice: containing('XDG_STATE_HOME') },
    ])
  })

  test('is reported if no file can be created there', async () => {
    expect(await check('state', { env: { XDG_STATE_HOME: '/proc/state' } })).toMatchObject([
      { status: 'broken', advice: containing('XDG_STATE_HOME') },
    ])
  })
})

test('temporary files: reports a missing folder', async () => {
  const cwd = folderOf()
  const env = { HOME: folderOf() }
  const missing = join(cwd, 'missing')
  vi.stubEnv('TMPDIR', missing)
  expect(await check('temporary files', { cwd, env })).toMatchObject([
    { status: 'broken', says: containing(missing), advice: containing('Set TMPDIR') },
  ])
})

describe('server', () => {
  test('has tokens that other users can read', async () => {
    const content = { version: 1, main: 'x'.repeat(43), tokens: [] }
    const HOME = folderOf({ [`${STATE}/tokens.json`]: content })
    const report = (): Promise<NamedFinding[]> => check('server', { env: { HOME } })
    chmodSync(join(HOME, STATE), 0o700)
    chmodSync(join(HOME, STATE, 'tokens.json'), 0o600)
    expect(await report()).toMatchObject([{ status: 'ok' }])
    chmodSync(join(HOME, STATE, 'tokens.json'), 0o644)
    expect(await report()).toMatchObject([
      { status: 'ok' },
      { status: 'warning', says: containing('its mode is 644. Others may have read') },
    ])
  })

  test('creates no tokens', async () => {
    const HOME = folderOf()
    await check('server', { env: { HOME } })
    expect(existsSync(join(HOME, STATE))).toBe(false)
  })

  test('is running, or another program has its port', async () => {
    let header = 'Bearer realm="toolglot"'
    const server = createServer((_, response) =>
      response.writeHead(401, { 'www-authenticate': header }).end(),
    ).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    onTestFinished(close)
    const { port } = server.address() as AddressInfo
    const HOME = folderOf({ [`${STATE}/server.json`]: { port } })
    chmodSync(join(HOME, STATE), 0o700)
    const report = (): Promise<NamedFinding[]> => check('server', { env: { HOME } })
    expect(await report()).toMatchObject([
      { status: 'ok', says: `running at http://127.0.0.1:${port}` },
    ])
    header = 'Basic'
    expect(await report()).toMatchObject([{ status: 'warning', advice: containing('--port') }])
    await close()
    expect(await report()).toMatchObject([
      { status: 'ok', says: containing(`its last port, ${port}, is free`) },
    ])
  })
})

describe('sandbox', async () => {
  const noBubblewrap = await lacks('bubblewrap')

  test.skipIf(noBubblewrap)(
    'shows the files visible to commands, and files moved aside',
    async () => {
      const home = folderOf()
      for (const name of ['.cargo/bin', '.ssh', '.config/toolglot'])
        mkdirSync(join(home, name), { recursive: true })
      const says = async (cwd = folderOf()): Promise<string> =>
        (await check('sandbox', { env: { HOME: home, PATH }, cwd }))
          .map((line) => `${line.status}: ${line.says}`)
          .join('\n')
      expect(await says()).toMatch(
        /^ok: bubblewrap\. .+\nok: in your home folder, commands see only .*~\/\.cargo\/bin/,
      )
      expect(await says()).not.toMatch(/\.ssh|also|aside/)
      expect(await says(home)).toContain('warning: the workspace contains your home folder')
      const settings = (sandbox: object): void =>
        writeFileSync(join(home, SETTINGS), JSON.stringify({ sandbox }))
      settings({ read: ['~/.ssh', '/nope'] })
      expect(await says()).toContain('ok: commands can also read ~/.ssh, /nope (missing)')
      settings({ write: ['~'] })
      expect(await says(home)).toContain(
        'warning: commands can read and change everything in your home',
      )
      const aside = join(home, STATE, 'aside/1a2b3c4d')
      mkdirSync(aside, { recursive: true })
      const item = { path: '/x', at: join(aside, 'about.json'), why: 'runs in CI', time: 1 }
      writeFileSync(item.at, JSON.stringify(item))
      expect(await says()).toContain('warning: 1 file created by a command was moved aside')
    },
  )

  test('turned off', async () => {
    const home = { [SETTINGS]: { sandbox: { use: 'none' } } }
    expect(await check('sandbox', { home })).toMatchObject([
      { status: 'warning', says: 'turned off in your settings', advice: containing('all of your') },
    ])
  })
})
