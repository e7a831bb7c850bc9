import { z } from 'zod'
import { expect, test } from 'vitest'
import { type Permissions, readRules } from '@toolglot/permissions'
import { execute, type ExecuteOptions, type ToolCall } from './execute.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { type AnyTool, toolsByName } from './any-tool.ts'
import { tool, type Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'
import { plainFileSystem as fileSystem } from '../../../permissions/test/plain-file-system.ts'

const parameters = z.strictObject({
  file_path: z.string(),
  limit: z.number().int().optional(),
  line_numbers: z.boolean().optional(),
})
const read = tool({
  name: 'Read',
  description: 'Read a file',
  parameters,
  access: { reads: 'file_path', readOnly: true },
  execute: ({ file_path, limit = 1 }) => ({ content: `${file_path} ${limit}`, total_lines: 1 }),
  show: ({ content }) => content,
})
const sum = tool({
  name: 'sum',
  description: 'Add numbers',
  parameters: {
    type: 'object',
    properties: { numbers: { type: 'array', items: { type: 'number' } } },
    required: ['numbers'],
    additionalProperties: false,
  },
  access: {},
  execute: ({ numbers }) => (numbers as number[]).reduce((one, other) => one + other),
})

function run(
  call: Omit<ToolCall, 'id'>,
  options: Partial<ExecuteOptions> & { all?: AnyTool[] } = {},
) {
  const tools = toolsByName(options.all ?? [read, sum])
  const others = new Map(
    [...tools.values()]
      .filter(({ name }) => name !== 'Read')
      .map((each) => [each.name, each.access]),
  )
  const { rules } = readRules({ allow: ['sum'] }, { tools: others })
  return execute(
    { id: '1', ...call },
    { tools, permissions: { rules, tools: others }, fileSystem, ...options },
  )
}

test('returns a result and its text for the model', async () => {
  expect(await run({ name: 'Read', args: { file_path: 'a', limit: 2 } })).toEqual({
    status: 'success',
    result: { content: 'a 2', total_lines: 1 },
    text: 'a 2',
  })
  expect(await run({ name: 'sum', args: { numbers: [1, 2] } })).toMatchObject({ text: '3' })
})

test('an alias runs its tool and formats its own result', async () => {
  expect(await run({ name: 'read_file', args: { path: 'a' } })).toMatchObject({
    text: '{"content":"a 1","lines":1}',
  })
})

test.each([
  ['an unknown tool', { name: 'Raed', args: {} }, 'not_found', 'Did you mean Read?'],
  ['a missing argument', { name: 'Read', args: {} }, 'invalid_input', 'file_path'],
  ['an unknown argument', { name: 'Read', args: { file_path: 'a', x: 1 } }, 'invalid_input', '"x"'],
  [
    'a wrong type',
    { name: 'sum', args: { numbers: ['1'] } },
    'invalid_input',
    'numbers/0: must be a number, not "1"',
  ],
  [
    'an argument that the schema does not have',
    { name: 'sum', args: { numbers: [1], y: 1 } },
    'invalid_input',
    'y',
  ],
  [
    'a file outside the workspace',
    { name: 'Read', args: { file_path: '/etc/hosts' } },
    'permission_denied',
    'nobody to ask',
  ],
])('%s is a failure that the model can act on', async (_, call, type, message) => {
  expect(await run(call)).toMatchObject({
    status: 'error',
    failure: { error_type: type, message: expect.stringContaining(message) as string },
  })
})

test('a person is asked and can deny the call', async () => {
  const call = { name: 'Read', args: { file_path: '/etc/hosts' } }
  expect(await run(call, { approve: async () => ({ verdict: 'allow' }) })).toMatchObject({
    status: 'success',
  })
  expect(
    await run(call, { approve: async () => ({ verdict: 'deny', reason: 'not that one' }) }),
  ).toMatchObject({ failure: { message: 'not that one', details: { code: 'denied_by_user' } } })
})

test('asks a person again if a link is swapped in during the approval', async () => {
  let target = '/etc/hosts'
  const asked: string[] = []
  const paths: (readonly string[] | undefined)[] = []
  const looking: AnyTool = { ...read, execute: (_, context) => paths.push(context.paths) }
  await run(
    { name: 'Read', args: { file_path: 'link' } },
    {
      all: [looking],
      fileSystem: { ...fileSystem, follow: (path) => [path.endsWith('/link') ? target : path] },
      approve: async ({ decision, times }) => {
        asked.push(`${times} ${decision.real}`)
        target = '/etc/group'
        return { verdict: 'allow' }
      },
    },
  )
  expect(asked).toEqual(['0 /etc/hosts', '1 /etc/group'])
  expect(paths).toEqual([['/etc/group']])
})

test('a call that keeps changing, or is denied or gone, does not run', async () => {
  const call = { name: 'Read', args: { file_path: 'link' } }
  let count = 0
  const follow = (path: string): string[] => [path.endsWith('/link') ? `/etc/${count}` : path]
  const approve = async (): Promise<{ verdict: 'allow' }> => (count++, { verdict: 'allow' })
  expect(await run(call, { fileSystem: { ...fileSystem, follow }, approve })).toMatchObject({
    failure: { details: { code: 'changed_since_asked' } },
  })
  expect(count).toBeLessThan(10)

  const { rules } = readRules({ deny: ['Read'] })
  const permissions: Permissions = { rules: [] }
  const denying = async (): Promise<{ verdict: 'allow' }> => {
    Object.assign(permissions, { rules })
    return { verdict: 'allow' }
  }
  const elsewhere = { name: 'Read', args: { file_path: '/etc/hosts' } }
  expect(await run(elsewhere, { permissions, approve: denying })).toMatchObject({
    failure: { details: { code: 'denied_by_rule' } },
  })

  const tools = new Map([['Read', read as Tool]])
  const replacing = async (): Promise<{ verdict: 'allow' }> => {
    tools.set('Read', { ...(read as Tool), execute: () => 'another' })
    return { verdict: 'allow' }
  }
  expect(await run(elsewhere, { tools, approve: replacing })).toMatchObject({
    failure: { message: expect.stringContaining('Read changed while') as string },
  })
})

test('a call denied by a rule does not ask for approval', async () => {
  const { rules } = readRules({ deny: ['Read(.env)'] })
  const outcome = await run(
    { name: 'Read', args: { file_path: '.env' } },
    { permissions: { rules }, approve: () => Promise.reject(new Error('was asked')) },
  )
  expect(outcome).toMatchObject({
    failure: {
      error_type: 'permission_denied',
      details: { file: '.env', matched_rule: 'Read(.env)' },
    },
  })
})

test('a tool whose doubt() returns a reason needs approval even if a rule allows it', async () => {
  let doubt: string | undefined = 'it has changed'
  const changed: Tool = { ...sum, doubt: () => doubt }
  const call = { name: 'sum', args: { numbers: [1] } }
  expect(await run(call, { all: [changed] })).toMatchObject({
    failure: {
      error_type: 'permission_denied',
      message: expect.stringContaining('changed') as string,
    },
  })
  const asked: string[] = []
  await run(call, {
    all: [changed],
    approve: async ({ decision }) => (asked.push(decision.why), { verdict: 'allow' }),
  })
  expect(asked).toEqual(['it has changed'])
  doubt = undefined
  expect(await run(call, { all: [changed] })).toMatchObject({ status: 'success' })
})

const slow = (timeout?: number): Tool => ({
  ...sum,
  ...(timeout !== undefined && { timeout }),
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    }),
})

test('a timeout stops the tool', async () => {
  expect(await run({ name: 'sum', args: { numbers: [] } }, { all: [slow(10)] })).toMatchObject({
    failure: { error_type: 'timeout' },
  })
})

test('a tool without a timeout has the default one unless it waits for a person', async () => {
  const call = { name: 'sum', args: { numbers: [] } }
  expect(await run(call, { all: [slow()], toolTimeout: 10 })).toMatchObject({
    failure: { error_type: 'timeout', message: 'sum was stopped after 10 ms.' },
  })
  const patient: Tool = {
    ...slow(),
    waits: true,
    execute: (_, { signal }) =>
      new Promise((resolve) => setTimeout(() => resolve(signal.aborted), 50)),
  }
  expect(await run(call, { all: [patient], toolTimeout: 10 })).toMatchObject({ result: false })
})

/** A tool that calls a function when it is aborted. */
const onStop = (
  act: (
    resolve: (value: unknown) => void,
    reject: (error: unknown) => void,
    reason: unknown,
  ) => void,
): Tool => ({
  ...sum,
  execute: (_, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => act(resolve, reject, signal.reason))
    }),
})

const cancelled = { error_type: 'execution_failed', details: { code: 'cancelled' } }
const interrupted = { details: { code: 'interrupted' } }
const soon = (work: () => void): void => void setTimeout(work, 30)

test.each<[about: string, tool: Tool, stopped: object, timedOut: object]>([
  [
    'returns soon',
    onStop((resolve) => soon(() => resolve('done'))),
    { status: 'success', text: 'done' },
    { status: 'success', text: 'done' },
  ],
  [
    'soon returns a stream',
    onStop((resolve) => soon(() => resolve(new Blob(['do', 'ne']).stream()))),
    { status: 'success', text: 'done' },
    { status: 'success', text: 'done' },
  ],
  [
    'soon fails on its own',
    onStop((_, reject) => soon(() => reject(new Error('The disk is full.')))),
    { failure: { message: 'The disk is full.' } },
    { failure: { message: 'The disk is full.' } },
  ],
  [
    'throws a ToolError',
    onStop((_, reject) => reject(new ToolError('not_found', 'gone'))),
    { failure: { error_type: 'not_found' } },
    { failure: { error_type: 'not_found' } },
  ],
  [
    'ends because of the abort',
    onStop((_, reject, reason) => reject(reason)),
    { failure: { error_type: 'execution_failed', ...interrupted } },
    { failure: { error_type: 'timeout', message: 'sum was stopped after 10 ms.' } },
  ],
  [
    'does not end',
    onStop(() => {}),
    { failure: { error_type: 'execution_failed', ...interrupted } },
    { failure: { error_type: 'timeout', ...interrupted } },
  ],
])('a tool that is stopped and %s', async (_, tool, stopped, timedOut) => {
  const call = { name: 'sum', args: { numbers: [] } }
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 10)
  const [one, other] = await Promise.all([
    run(call, { all: [tool], signal: stop.signal }),
    run(call, { all: [tool], toolTimeout: 10 }),
  ])
  expect(one).toMatchObject(stopped)
  expect(other).toMatchObject(timedOut)
})

/** A tool that changes nothing, and permissions that allow it. */
function looking(act: Parameters<typeof onStop>[0]): { all: [Tool]; permissions: Permissions } {
  const look: Tool = { ...onStop(act), name: 'look', parameters: {}, access: { readOnly: true } }
  return { all: [look], permissions: readRules({ allow: ['look'] }, { tools: lookOnly }) }
}

const lookOnly = new Map([['look', {}]])

test('stopping a tool that changes nothing causes no alarming message', async () => {
  const call = { name: 'look', args: {} }
  const [stuck, ending] = [looking(() => {}), looking((_, reject, reason) => reject(reason))]
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 10)
  const message = 'look was stopped while it ran. It changes nothing.'
  const stopped = { error_type: 'execution_failed', message, ...interrupted }
  expect(
    await Promise.all([
      run(call, { ...stuck, signal: stop.signal }),
      run(call, { ...ending, signal: stop.signal }),
      run(call, { ...stuck, toolTimeout: 10 }),
    ]),
  ).toMatchObject([
    { failure: stopped },
    { failure: stopped },
    {
      failure: {
        error_type: 'timeout',
        message: 'look was stopped after 10 ms, and has not ended. It changes nothing.',
        ...interrupted,
      },
    },
  ])
  expect(await run(call, { ...ending, toolTimeout: 10 })).toEqual({
    status: 'error',
    failure: { tool: 'look', error_type: 'timeout', message: 'look was stopped after 10 ms.' },
  })
})

test('a tool is cancelled only if it never started', async () => {
  const began: string[] = []
  const begin = async ({ name }: Tool): Promise<void> => void began.push(name)
  const ran = looking(() => began.push('ran'))
  const signal = AbortSignal.abort()
  expect(
    await Promise.all([
      run({ name: 'look', args: {} }, { ...ran, begin, signal }),
      run({ name: 'sum', args: { numbers: [] } }, { begin, signal }),
    ]),
  ).toMatchObject([{ failure: cancelled }, { failure: cancelled }])
  expect(began).toEqual([])
})

test('calls begin before running any tool', async () => {
  const began: string[] = []
  const begin = async ({ name }: Tool): Promise<void> => void began.push(name)
  await run({ name: 'read_file', args: { path: 'a' } }, { begin })
  await run({ name: 'sum', args: { numbers: [1] } }, { begin })
  await run({ name: 'sum', args: { numbers: ['1'] } }, { begin })
  await run({ name: 'Read', args: { file_path: '/etc/hosts' } }, { begin })
  expect(began).toEqual(['Read', 'sum'])
  const refused = { begin: () => Promise.reject(new Error('The disk is full.')) }
  const eager: Tool = { ...sum, execute: () => began.push('ran') }
  expect(
    await run({ name: 'sum', args: { numbers: [] } }, { all: [eager], ...refused }),
  ).toMatchObject({ failure: { message: 'The disk is full.' } })
  expect(began).toHaveLength(2)
})

test('an abort while the start is being recorded prevents the tool from running', async () => {
  const stop = new AbortController()
  let ran = false
  const eager: Tool = { ...sum, execute: () => (ran = true) }
  const outcome = await run(
    { name: 'sum', args: { numbers: [] } },
    { all: [eager], signal: stop.signal, begin: async () => stop.abort() },
  )
  expect(outcome).toMatchObject({ failure: cancelled })
  expect(ran).toBe(false)
})

test('any value thrown by a tool is reported', async () => {
  const throwing = (error: unknown): Tool => ({ ...sum, execute: () => Promise.reject(error) })
  const call = { name: 'sum', args: { numbers: [] } }
  expect(await run(call, { all: [throwing(new ToolError('not_found', 'gone'))] })).toMatchObject({
    failure: { error_type: 'not_found', message: 'gone' },
  })
  expect(await run(call, { all: [throwing('odd')] })).toMatchObject({
    failure: { error_type: 'execution_failed', message: 'odd' },
  })
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  expect(await run(call, { all: [throwing(proxy)] })).toMatchObject({
    failure: { error_type: 'execution_failed' },
  })
})

test('the model is shown JSON Schema', () => {
  expect(jsonSchemaOf(parameters)).toEqual({
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      limit: expect.objectContaining({ type: 'integer' }) as object,
      line_numbers: { type: 'boolean' },
    },
    required: ['file_path'],
    additionalProperties: false,
  })
})

test('a call does not run in a different folder than the one it was decided in', async () => {
  let cwd = fileSystem.cwd
  const moving = Object.defineProperty({ ...fileSystem }, 'cwd', { get: () => cwd })
  const move = (): void => void (cwd = `${fileSystem.cwd}/elsewhere`)
  const call = { name: 'Read', args: { file_path: 'a' } }
  const begin = async (): Promise<void> => move()
  expect(await run(call, { fileSystem: moving, begin })).toMatchObject({
    status: 'error',
    failure: { error_type: 'permission_denied', details: { code: 'changed_since_asked' } },
  })
  // The call is permitted in the new folder.
  expect(await run(call, { fileSystem: moving, begin })).toMatchObject({ status: 'success' })
})

test('decides on a call again if another call changes the folder while it waits', async () => {
  let cwd = fileSystem.cwd
  let asked = 0
  const moving = Object.defineProperty({ ...fileSystem }, 'cwd', {
    get: () => cwd,
    enumerable: true,
  })
  const { rules } = readRules({ ask: ['Read'] })
  const approve: ExecuteOptions['approve'] = async ({ decision }) => {
    asked++
    expect(decision.parts.map(({ real }) => real)).toContain(`${cwd}/a`)
    if (asked === 1) cwd += '/elsewhere'
    return { verdict: 'allow' }
  }
  const outcome = await run(
    { name: 'Read', args: { file_path: 'a' } },
    { fileSystem: moving, permissions: { rules }, approve },
  )
  expect([outcome.status, asked]).toEqual(['success', 2])
})

const shell = tool({
  name: 'Bash',
  description: 'Runs a command',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
  access: { runs: 'command' },
  execute: ({ command }, { original = null }) => ({ command, original }),
})

test('runs a shell command allowed by rules as printed, and passes the original to the tool', async () => {
  const { rules } = readRules({ allow: ['Bash(make:*)'] })
  const options = { all: [shell], permissions: { rules } }
  const outcome = await run({ name: 'Bash', args: { command: 'make  "a" # now' } }, options)
  expect(outcome).toMatchObject({ result: { original: 'make  "a" # now' } })
  expect((outcome as { result: { command: string } }).result.command).not.toContain('#')
})

test("runs a shell command without a printed form as written only with a person's approval", async () => {
  const command = 'f() { make; }; f'
  const options = { all: [shell], permissions: readRules({ allow: ['Bash(*)'] }) }
  const call = { name: 'Bash', args: { command } }
  expect(await run(call, options)).toMatchObject({ failure: { error_type: 'permission_denied' } })
  const approve = async () => ({ verdict: 'allow' }) as const
  expect(await run(call, { ...options, approve })).toMatchObject({
    result: { command, original: null },
  })
})
