import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecuteResult, ToolFailure } from '@toolglot/agent'
import type { SessionOptions, ConformanceTarget } from '@toolglot/tools/conformance'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { describeConformance } from '../../../tools/test/describe-conformance.ts'
import { type FakeConfig, fakeOpencode, type FakeOpencode } from '../../test/fake-opencode.ts'
import * as plugin from './plugin.ts'

afterEach(() => vi.unstubAllEnvs())

/** Opens a folder with the user's own settings. */
async function open(
  { root, state, allow, deny, ask = [], search }: SessionOptions,
  more: Partial<FakeConfig> = {},
): Promise<FakeOpencode> {
  vi.stubEnv('XDG_CONFIG_HOME', join(state, 'config'))
  vi.stubEnv('XDG_STATE_HOME', state)
  vi.stubEnv('SEARXNG_URL', search)
  mkdirSync(join(state, 'config/toolglot'), { recursive: true })
  const settings = { permissions: { allow, deny, ask } }
  writeFileSync(join(state, 'config/toolglot/settings.json'), JSON.stringify(settings))
  return fakeOpencode(plugin, { directory: root, ...more })
}

const platform: ConformanceTarget = {
  lacks: { ask: 'OpenCode has its own way to ask' },
  async open(options) {
    const opencode = await open(options)
    return {
      run: 'session',
      storage: { folder: join(options.state, 'toolglot') },
      call: (name, args, abort) => outcomeOf(opencode.call(name, args, abort ? { abort } : {})),
      close: () => opencode.close(),
    }
  },
}

async function outcomeOf(calling: ReturnType<FakeOpencode['call']>): Promise<ExecuteResult> {
  try {
    const { output, metadata } = await calling
    return { status: 'success', result: metadata, text: output }
  } catch (error) {
    return { status: 'error', failure: (error as Error).cause as ToolFailure }
  }
}

describeConformance('the OpenCode plugin, in a fake of OpenCode', platform, 3)

async function folder(): Promise<SessionOptions> {
  const parent = folderOf()
  const [root, state] = [join(parent, 'work'), join(parent, 'state')]
  mkdirSync(root)
  return { root, state, allow: [], deny: ['Read(.env)'] }
}

async function opened(more: Partial<FakeConfig> = {}): Promise<FakeOpencode & { root: string }> {
  const options = await folder()
  const opencode = await open(options, more)
  onTestFinished(() => opencode.close())
  return { ...opencode, root: options.root }
}

test('the module exports only the plugin', () => {
  expect(Object.keys(plugin)).toEqual(['default'])
})

test('offers the tools with their parameters, except those that OpenCode has itself', async () => {
  const { schemas } = await opened()
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Read', 'Write', 'Bash']))
  expect(Object.keys(schemas)).not.toContain('AskUserQuestion')
  expect(schemas['Read']).toMatchObject({
    required: ['file_path'],
    properties: { file_path: { type: 'string', description: expect.any(String) as string } },
  })
})

test('settings of an untrusted folder have no effect', async () => {
  const options = await folder()
  mkdirSync(join(options.root, '.toolglot'))
  const settings = { permissions: { allow: ['Bash'] } }
  writeFileSync(join(options.root, '.toolglot/settings.json'), JSON.stringify(settings))
  const opencode = await open(options)
  onTestFinished(() => opencode.close())
  await expect(opencode.call('Bash', { command: 'touch made' })).rejects.toThrow(
    /^permission_denied: /,
  )
  expect(existsSync(join(options.root, 'made'))).toBe(false)
})

test('an image is returned as a file', async () => {
  const { root, call } = await opened()
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  writeFileSync(join(root, 'pixel.png'), Buffer.from(pixel, 'base64'))
  const { attachments, metadata } = await call('Read', { file_path: 'pixel.png' })
  expect(attachments).toEqual([
    { type: 'file', mime: 'image/png', url: `data:image/png;base64,${pixel}` },
  ])
  expect(JSON.stringify(metadata)).not.toContain(pixel)
})

test('output is reported while a command runs', async () => {
  const options = { ...(await folder()), allow: ['Bash'] }
  const opencode = await open(options)
  onTestFinished(() => opencode.close())
  const told: unknown[] = []
  await opencode.call(
    'Bash',
    { command: 'echo first; sleep 0.4; echo second' },
    { metadata: ({ metadata }) => void told.push(metadata['output']) },
  )
  expect(told[0]).toBe('first\n')
  expect(told.at(-1)).toBe('first\nsecond\n')
})

test('has no approver by default', async () => {
  const { root, call, permission } = await opened({ permission: 'allow' })
  expect(permission).toBe('allow')
  const ask = vi.fn(() => Promise.resolve())
  await expect(call('Bash', { command: 'touch made' }, { ask })).rejects.toThrow(/nobody to ask/)
  expect(ask).not.toHaveBeenCalled()
  expect(existsSync(join(root, 'made'))).toBe(false)
})

test('the user decides, for this call only', async () => {
  const { root, call } = await opened({ options: { ask: true } })
  const write = { file_path: 'made.txt', content: 'x' }
  const no = (): Promise<void> => Promise.reject(new Error('Not today.'))
  await expect(call('Write', write, { ask: no })).rejects.toThrow('permission_denied: Not today.')
  expect(existsSync(join(root, 'made.txt'))).toBe(false)
  const yes = vi.fn((_asked: unknown) => Promise.resolve())
  await call('Write', write, { ask: yes })
  expect(existsSync(join(root, 'made.txt'))).toBe(true)
  expect(yes.mock.lastCall![0]).toEqual({
    permission: 'toolglot',
    patterns: [expect.stringContaining('made.txt')],
    always: [],
    metadata: { question: expect.stringContaining('"content": "x"') as string },
  })
})

test('the user sees the files that match a pattern', async () => {
  const { root, call } = await opened({ options: { ask: true } })
  for (const name of ['a.log', 'b.log']) writeFileSync(join(root, name), '')
  const no = vi.fn((_asked: unknown) => Promise.reject<void>(new Error('No.')))
  await expect(call('Bash', { command: 'rm *.log' }, { ask: no })).rejects.toThrow('No.')
  expect(no.mock.lastCall![0]).toMatchObject({
    patterns: ['rm a.log b.log'],
    metadata: {
      question: expect.stringContaining('- rm a.log b.log: no rule allows it') as string,
    },
  })
})

test('a denied call does not ask for approval', async () => {
  const { call } = await opened({ options: { ask: true } })
  const ask = vi.fn(() => Promise.resolve())
  await expect(call('Read', { file_path: '.env' }, { ask })).rejects.toThrow(/Read\(\.env\)/)
  expect(ask).not.toHaveBeenCalled()
})

test.each<[unknown, unknown]>([
  [undefined, { toolglot: 'ask' }],
  ['allow', { '*': 'allow', toolglot: 'ask' }],
  [
    { toolglot: 'allow', '*': 'allow' },
    { '*': 'allow', toolglot: 'ask' },
  ],
])('OpenCode with permission %j gets a final rule to ask', async (permission, expected) => {
  const opencode = await opened({ options: { ask: true }, permission })
  expect(JSON.stringify(opencode.permission)).toBe(JSON.stringify(expected))
})
