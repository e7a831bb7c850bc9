import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { forgetTools } from '../../test/vcp.ts'
import {
  type ExecuteRequestsOptions,
  executeSingleRequest,
  type MethodMetadata,
  type ParsedToolRequest,
  type ToolExecutionResult,
  toolRegistryManager,
} from '../index.ts'

type Context = { readonly signal: AbortSignal }

const callable = (...names: readonly string[]): readonly MethodMetadata[] =>
  names.map((name) => ({ name, agentCallable: true }))

/** Ids may contain underscores. */
class TaskBoard {
  readonly id = 'task_board'
  readonly name = '任务'
  readonly title = 'not a function'
  readonly signals: AbortSignal[] = []
  getMetadata(): { readonly methods: readonly MethodMetadata[] } {
    return {
      methods: [
        ...callable('echo', 'getTask_status', 'list', 'nothing', 'fail', 'wait'),
        ...callable('missing', 'title', 'toString', 'constructor', '__proto__', 'hasOwnProperty'),
        { name: 'remove', agentCallable: false },
        {
          name: 'find',
          agentCallable: true,
          protocolConfig: { vcpCommand: 'search_tasks' },
          parameters: [{ name: 'query', type: 'string', required: true }],
        },
      ],
    }
  }
  echo(args: Record<string, string>): string {
    return Object.entries(args)
      .map(([key, value]) => `${key}=${value} (${typeof value})`)
      .join(', ')
  }
  getTask_status(): string {
    return `${this.name}: done`
  }
  list(): unknown {
    return [{ id: 1, done: true }]
  }
  nothing(): void {}
  fail(): never {
    throw new Error('The board is locked.')
  }
  wait(_args: unknown, { signal }: Context): Promise<never> {
    this.signals.push(signal)
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  }
  remove(): string {
    return 'removed'
  }
  find({ query }: Record<string, string>): string {
    return `found ${query}`
  }
  undescribed(): string {
    return 'undescribed'
  }
}

let board: TaskBoard
beforeEach(() => {
  board = new TaskBoard()
  toolRegistryManager.register(board)
})
afterEach(forgetTools)

const requestFor = (toolName: string, args: Record<string, string> = {}): ParsedToolRequest => ({
  requestId: `id of ${toolName}`,
  toolName,
  rawBlock: '',
  args,
})

const execute = (
  toolName: string,
  options: ExecuteRequestsOptions = {},
  args?: Record<string, string>,
): Promise<ToolExecutionResult> => executeSingleRequest(requestFor(toolName, args), options)

describe('failures are results', () => {
  test.each<[about: string, name: string, options: ExecuteRequestsOptions, result: RegExp]>([
    [
      'the user refuses',
      'task_board_list',
      { config: { requireConfirmation: true }, onBeforeExecute: () => false },
      /^用户未授权$/,
    ],
    [
      'the user refuses in the end',
      'task_board_list',
      { config: { mode: 'manual' }, onBeforeExecute: async () => false },
      /^用户未授权$/,
    ],
    ['there is nobody to ask', 'task_board_list', { config: { mode: 'manual' } }, /^用户未授权$/],
    ['the name is empty', '', {}, /^无效格式/],
    ['the name has no underscore', 'list', {}, /^无效格式: list/],
    ['the name has no tool', '_list', {}, /^无效格式: _list/],
    ['the name has no method', 'calendar_', {}, /^无效格式: calendar_/],
    ['the tool is unknown', 'calendar_list', {}, /^工具不存在: calendar_list$/],
    ['a name is not split', 'task_list', {}, /^工具不存在: task_list$/],
    ['the method is unknown', 'task_board_add', {}, /^方法不存在: task_board_add$/],
    ['it is described only', 'task_board_missing', {}, /^方法不存在: task_board_missing$/],
    ['it is no function', 'task_board_title', {}, /^方法不存在: task_board_title$/],
    ['toString is inherited', 'task_board_toString', {}, /^方法不存在/],
    ['constructor is inherited', 'task_board_constructor', {}, /^方法不存在/],
    ['__proto__ is inherited', 'task_board___proto__', {}, /^方法不存在/],
    ['hasOwnProperty is inherited', 'task_board_hasOwnProperty', {}, /^方法不存在/],
    ['agentCallable is false', 'task_board_remove', {}, /^方法不可调用: task_board_remove$/],
    ['it is not described', 'task_board_undescribed', {}, /^方法不可调用/],
    ['it describes the others', 'task_board_getMetadata', {}, /^方法不可调用/],
    [
      'the tool is off',
      'task_board_list',
      { config: { toolToggles: { task_board: false } } },
      /^方法不可调用: task_board_list$/,
    ],
    ['the method throws', 'task_board_fail', {}, /The board is locked\./],
    ['an argument is missing', 'task_board_find', {}, /query/],
    ['it takes too long', 'task_board_wait', { config: { timeout: 1 } }, /was stopped after 1 ms/],
    [
      'the confirmation callback throws',
      'task_board_list',
      {
        config: { requireConfirmation: true },
        onBeforeExecute: () => Promise.reject(new Error('The window is gone.')),
      },
      /The window is gone\./,
    ],
  ])('%s', async (_about, name, options, result) => {
    expect(await execute(name, options)).toEqual({
      requestId: `id of ${name}`,
      toolName: name,
      status: 'error',
      result: expect.stringMatching(result),
      durationMs: expect.any(Number),
    })
  })

  test('a timeout aborts the signal of the method', async () => {
    await execute('task_board_wait', { config: { timeout: 1 } })
    expect(board.signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('a method that ends after its timeout is an error, regardless of its result', async () => {
    const late = async (_args: unknown, { signal }: Context): Promise<string> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return 'done'
    }
    const id = 'slow'
    const getMetadata = () => ({ methods: callable('late') })
    toolRegistryManager.register({ id, getMetadata, late })
    expect(await execute('slow_late', { config: { timeout: 1 } })).toMatchObject({
      status: 'error',
      result: expect.stringContaining('slow_late ended after its timeout'),
    })
  })

  test('the default timeout is 30 seconds', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const result = execute('task_board_wait')
    await vi.advanceTimersByTimeAsync(29_999)
    expect(board.signals.map(({ aborted }) => aborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(1)
    expect(board.signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await result).toMatchObject({ status: 'error' })
  })

  test("the caller's signal aborts the signal of the method", async () => {
    const stop = new AbortController()
    const result = execute('task_board_wait', { signal: stop.signal })
    await vi.waitUntil(() => board.signals.length === 1)
    stop.abort()
    expect(await result).toMatchObject({ status: 'error' })
    expect(board.signals[0]!.aborted).toBe(true)
  })

  test('a refused method does not run', async () => {
    const list = vi.spyOn(board, 'list')
    await execute('task_board_list', { config: { mode: 'manual' }, onBeforeExecute: () => false })
    expect(list).not.toHaveBeenCalled()
  })

  test('a tool without getMetadata has no callable methods', async () => {
    toolRegistryManager.register({ id: 'silent', ...{ speak: () => 'hello' } })
    expect((await execute('silent_speak')).result).toBe('方法不可调用: silent_speak')
  })
})

describe('return values of a method', () => {
  test.each([
    ['task_board_getTask_status', '任务: done'],
    ['task_board_list', '[{"id":1,"done":true}]'],
    ['task_board_nothing', ''],
  ])('%s: %s', async (name, result) => {
    expect(await execute(name)).toMatchObject({ status: 'success', result })
  })

  test('arguments are strings', async () => {
    const args = { count: '3', on: 'true', list: '[1]', none: 'null' }
    const { result } = await execute('task_board_echo', {}, args)
    expect(result).toBe('count=3 (string), on=true (string), list=[1] (string), none=null (string)')
  })

  test('a method with a command has two names', async () => {
    for (const name of ['task_board_find', 'task_board_search_tasks'])
      expect(await execute(name, {}, { query: 'x' })).toMatchObject({
        status: 'success',
        result: 'found x',
        toolName: name,
      })
  })

  test('never splits names, since ids and methods may contain an underscore', async () => {
    const tool = (id: string, method: string) => ({
      id,
      getMetadata: () => ({ methods: callable(method) }),
      [method]: () => `${method} of ${id}`,
    })
    toolRegistryManager.register(tool('read', 'file'))
    expect((await execute('read_file')).result).toBe('file of read')
    toolRegistryManager.register(tool('read_file', 'lines'))
    toolRegistryManager.register(tool('read_file_lines', 'of_page'))
    expect((await execute('read_file')).result).toBe('file of read')
    expect((await execute('read_file_lines')).result).toBe('lines of read_file')
    expect((await execute('read_file_lines_of_page')).result).toBe('of_page of read_file_lines')
    expect((await execute('read_lines')).result).toBe('方法不存在: read_lines')
  })

  test('methods of a parent class can be called', async () => {
    class Special extends TaskBoard {
      override readonly id = 'special' as 'task_board'
    }
    toolRegistryManager.register(new Special())
    expect((await execute('special_getTask_status')).result).toBe('任务: done')
  })
})
