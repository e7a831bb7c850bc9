import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { createTools, nodeHost, nodeStorage } from '@toolglot/tools'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import {
  type ILLMManager,
  PTKErrorCode,
  PTKManager,
  ToolManager,
  type ToolManagerOptions,
} from '../index.ts'

let folder: string

beforeEach(async () => {
  folder = folderOf()
  await mkdir(join(folder, 'x'))
  await writeFile(join(folder, 'a.txt'), 'alpha')
})

function managerOf(options: ToolManagerOptions = {}): ToolManager {
  const fileSystem = nodeFileSystem({ cwd: folder })
  const host = nodeHost({ fileSystem, storage: nodeStorage(join(folder, '.storage')) })
  const toolManager = new ToolManager({ fileSystem, ...options })
  for (const tool of createTools(host).values()) toolManager.registerTool(tool)
  return toolManager
}

const denied = { code: PTKErrorCode.TOOL_EXECUTION_FAILED }
const exists = (): Promise<boolean> =>
  readFile(join(folder, 'x')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )

describe('canonical tools keep their rules', () => {
  test('Read inside the folder is allowed', async () => {
    const result = await managerOf().execute('Read', { file_path: join(folder, 'a.txt') })
    expect(JSON.stringify(result)).toContain('alpha')
  })

  test('an alias is the same tool', async () => {
    const result = await managerOf().execute('read_file', { path: 'a.txt' })
    expect(JSON.stringify(result)).toContain('alpha')
  })

  test('Read outside of the folder is denied without an approver', async () => {
    await expect(managerOf().execute('Read', { file_path: '/etc/hostname' })).rejects.toMatchObject(
      denied,
    )
  })

  test('Write is denied without an approver', async () => {
    const args = { file_path: join(folder, 'a.txt'), content: 'beta' }
    await expect(managerOf().execute('Write', args)).rejects.toMatchObject(denied)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('alpha')
  })

  test('Bash that deletes is denied without an approver', async () => {
    await expect(managerOf().execute('Bash', { command: 'rm -rf x' })).rejects.toMatchObject(denied)
    expect(await exists()).toBe(true)
  })

  test.each([
    [true, false],
    [false, true],
  ])('Bash that deletes needs approval: %s', async (answer, stays) => {
    const askUserConfirmation = vi.fn(async (_tool: string, _args: object) => answer)
    const ended = managerOf({ askUserConfirmation }).execute('Bash', { command: 'rm -rf x' })
    if (answer) await ended
    else await expect(ended).rejects.toMatchObject(denied)
    expect(await exists()).toBe(stays)
    expect(askUserConfirmation.mock.calls).toEqual([['Bash', { command: 'rm -rf x' }]])
  })

  test('a rule allows or denies them', async () => {
    const allowing = managerOf({ permissions: { allow: ['Bash(rm:*)'] } })
    await allowing.execute('Bash', { command: 'rm -rf x' })
    expect(await exists()).toBe(false)
    const denying = managerOf({ permissions: { deny: ['Read'] } })
    await expect(
      denying.execute('Read', { file_path: join(folder, 'a.txt') }),
    ).rejects.toMatchObject(denied)
  })

  test('a rule applies when a model calls them', async () => {
    const call = vi
      .fn<ILLMManager['call']>()
      .mockResolvedValueOnce('<PTK_CALL>{"tool":"Bash","args":{"command":"rm -rf x"}}</PTK_CALL>')
      .mockResolvedValueOnce('<PTK_CALL>{"tool":"read_file","args":{"path":"a.txt"}}</PTK_CALL>')
      .mockResolvedValueOnce('It says alpha.')
    const onError = vi.fn()
    const onToolCall = vi.fn()
    const result = await new PTKManager({ call }, managerOf()).execute('Go', {
      tools: ['Bash', 'read_file'],
      onError,
      onToolCall,
    })
    expect(await exists()).toBe(true)
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(denied))
    expect(onToolCall.mock.calls.map(([{ tool }]) => tool)).toEqual(['read_file'])
    expect(result).toMatchObject({ success: true, content: 'It says alpha.', totalToolCalls: 1 })
    expect(call.mock.calls[2]![0]).toContain('alpha')
  })
})

describe('run_tests', () => {
  test('runs the test command of the permissions', async () => {
    const permissions = { testCommand: 'echo passed', allow: ['Bash(echo:*)'] }
    const result = await managerOf({ permissions }).execute('run_tests')
    expect(JSON.stringify(result)).toContain('passed')
  })

  test('explains how to set the command', async () => {
    await expect(managerOf().execute('run_tests')).rejects.toThrow(
      /"testCommand" in the settings, or in the permissions that a program passes/,
    )
  })
})

describe("a program's own tool is allowed, even with the name of an alias", () => {
  test.each(['read_file', 'bash', 'write_file', 'run_tests'])('%s', async (name) => {
    const handler = vi.fn(async () => 'own')
    const toolManager = new ToolManager()
    const parameters = { type: 'object', properties: { command: { type: 'string' } } } as const
    toolManager.registerTool({ name, description: 'Its own', parameters, handler })
    expect(await toolManager.execute(name, { command: 'rm -rf x' })).toBe('own')
    expect(handler).toHaveBeenCalledTimes(1)
    const call = vi
      .fn<ILLMManager['call']>()
      .mockResolvedValueOnce(
        `<PTK_CALL>{"tool":"${name}","args":{"command":"rm -rf x"}}</PTK_CALL>`,
      )
      .mockResolvedValueOnce('Done')
    const result = await new PTKManager({ call }, toolManager).execute('Go')
    expect(result).toMatchObject({ success: true, totalToolCalls: 1 })
    expect(handler).toHaveBeenCalledTimes(2)
  })

  test('unless it has the name of a canonical tool, whose rules apply', async () => {
    const handler = vi.fn()
    const toolManager = new ToolManager()
    const parameters = { type: 'object', properties: { command: { type: 'string' } } } as const
    toolManager.registerTool({ name: 'Bash', description: 'Its own', parameters, handler })
    await expect(toolManager.execute('Bash', { command: 'rm -rf x' })).rejects.toMatchObject(denied)
    expect(handler).not.toHaveBeenCalled()
  })

  test('unless it is dangerous', async () => {
    const handler = vi.fn()
    const toolManager = new ToolManager()
    const parameters = { type: 'object', properties: {} } as const
    toolManager.registerTool({
      name: 'bash',
      description: 'Its own',
      parameters,
      handler,
      dangerous: true,
    })
    await expect(toolManager.execute('bash')).rejects.toMatchObject(denied)
    expect(handler).not.toHaveBeenCalled()
  })
})
