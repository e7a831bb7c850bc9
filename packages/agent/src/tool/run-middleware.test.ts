import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { createRegistry } from '../registry/create-registry.ts'
import type { Middleware, Registry } from '../registry/registry.ts'
import type { ApprovalQuestion } from './require-permission.ts'
import { tool, type Tool } from './tool.ts'

interface Setting {
  readonly registry: Registry
  readonly ran: string[]
}

function setting(...middleware: readonly Middleware[]): Setting {
  const ran: string[] = []
  const parameters = z.strictObject({ text: z.string() })
  const made = (name: string, flags: object) =>
    tool({
      name,
      description: name,
      parameters,
      ...flags,
      execute({ text }) {
        ran.push(`${name} ${text}`)
        return `${name}: ${text}`
      },
    })
  const registry = createRegistry([
    made('send', {}),
    made('erase', {}),
    made('look', { readOnly: true }),
    tool({
      name: 'save',
      description: 'save',
      parameters: z.strictObject({ path: z.string() }),
      access: { writes: 'path' },
      execute: ({ path }) => ran.push(`save ${path}`),
    }),
  ])
  for (const each of middleware) registry.use(each)
  return { registry, ran }
}

const send = { name: 'send', args: { text: 'hello' } }
const allow = ['send']

test('middleware runs in the order of use', async () => {
  const seen: string[] = []
  const noting =
    (name: string): Middleware =>
    async (call, next) => {
      seen.push(`${name} before`)
      const outcome = await next(call)
      seen.push(`${name} after`)
      return outcome
    }
  const { registry } = setting(noting('one'), noting('two'))
  expect(messageOf(await executeWith(registry, send, { allow }))).toBe('send: hello')
  expect(seen).toEqual(['one before', 'two before', 'two after', 'one after'])
})

test('sees only permitted calls', async () => {
  const seen: string[] = []
  const { registry, ran } = setting(async (call, next, { tool: { name } }) => {
    seen.push(name)
    return next(call)
  })
  await executeWith(registry, { name: 'erase', args: { text: 'a' } }, { allow })
  await executeWith(registry, { name: 'send', args: {} }, { allow })
  await executeWith(registry, { name: 'unknown', args: {} }, { allow })
  expect([seen, ran]).toEqual([[], []])
  await executeWith(registry, send, { allow })
  expect(seen).toEqual(['send'])
})

test('can answer a call itself, and next() passes on the original call', async () => {
  const answer = { status: 'success', result: 1, text: 'mine' } as const
  const { registry, ran } = setting(async ({ name }, next) => (name === 'look' ? answer : next()))
  expect(await executeWith(registry, { name: 'look', args: { text: 'a' } })).toEqual(answer)
  expect(messageOf(await executeWith(registry, send, { allow }))).toBe('send: hello')
  expect(ran).toEqual(['send hello'])
})

test('changed arguments are checked and decided on again', async () => {
  const changing = (args: Record<string, unknown>, name?: string) =>
    setting((call, next) => next({ ...call, name: name ?? call.name, args }))

  const wrong = changing({ text: 1 })
  expect(messageOf(await executeWith(wrong.registry, send, { allow }))).toBe(
    'send: text: must be a string, not 1',
  )
  const denied = changing({ text: 'x' }, 'erase')
  expect(messageOf(await executeWith(denied.registry, send, { allow }))).toContain(
    'no rule allows erase',
  )
  const gone = changing({ text: 'x' }, 'toString')
  expect(await executeWith(gone.registry, send, { allow })).toMatchObject({
    failure: { error_type: 'not_found' },
  })
  const elsewhere = changing({ path: '/etc/passwd' }, 'save')
  expect(await executeWith(elsewhere.registry, send, { allow })).toMatchObject({
    failure: { error_type: 'permission_denied' },
  })
  expect([wrong, denied, gone, elsewhere].flatMap(({ ran }) => ran)).toEqual([])

  const fine = changing({ text: 'other' })
  expect(messageOf(await executeWith(fine.registry, send, { allow }))).toBe('send: other')
})

test('asks a person again only about a changed call', async () => {
  const asked: unknown[] = []
  const approve = async ({ call: { name, args } }: ApprovalQuestion) => {
    asked.push([name, args])
    return { verdict: 'allow' } as const
  }
  const same = setting((call, next) => next({ ...call, args: { ...call.args } }))
  await executeWith(same.registry, send, { approve })
  expect(asked.splice(0)).toEqual([['send', { text: 'hello' }]])

  const other = setting((call, next) => next({ ...call, args: { text: 'other' } }))
  await executeWith(other.registry, send, { approve })
  expect(asked).toEqual([
    ['send', { text: 'hello' }],
    ['send', { text: 'other' }],
  ])
  expect(other.ran).toEqual(['send other'])
})

test('changing the call in place has no effect', async () => {
  const { registry, ran } = setting(async (call, next) => {
    Object.assign(call.args, { text: 'other' })
    return next(call)
  })
  const args = { text: 'hello' }
  expect(messageOf(await executeWith(registry, { name: 'send', args }, { allow }))).toContain(
    'A middleware failed',
  )
  expect(ran).toEqual([])
  expect(Object.isFrozen(args)).toBe(false)
})

test('cannot change the trust of a call', async () => {
  const { registry } = setting((call, next) =>
    next({ ...call, id: 'other', trust: {}, args: { text: 'other' } }),
  )
  const asked: unknown[] = []
  await executeWith(
    registry,
    { ...send, id: '7', trust: { fenced: true } },
    {
      allow,
      approve: async ({ call }) => {
        asked.push([call.id, call.trust])
        return { verdict: 'allow' }
      },
    },
  )
  expect(asked).toEqual([
    ['7', { fenced: true }],
    ['7', { fenced: true }],
  ])
})

test('a tool that changes something runs only once', async () => {
  const twice: Middleware = async (call, next) => {
    await next(call)
    return next(call)
  }
  const { registry, ran } = setting(twice)
  expect(messageOf(await executeWith(registry, send, { allow }))).toBe(
    'A middleware called next twice: send has already run, and is not run again.',
  )
  expect(ran).toEqual(['send hello'])
  await executeWith(registry, { name: 'look', args: { text: 'a' } })
  expect(ran).toEqual(['send hello', 'look a', 'look a'])

  const inside = setting(twice, (call, next) => next({ ...call, name: 'send' }))
  await executeWith(inside.registry, { name: 'look', args: { text: 'a' } }, { allow })
  expect(inside.ran).toEqual(['send a'])

  const both = setting(async (call, next) => (await Promise.all([next(call), next(call)]))[0])
  expect(messageOf(await executeWith(both.registry, send, { allow }))).toBe('send: hello')
  expect(both.ran).toEqual(['send hello'])
})

test('calls begin before each run of a tool', async () => {
  const began: string[] = []
  const begin = async ({ name }: Tool): Promise<void> => void began.push(name)
  const { registry } = setting(async (call, next) => {
    await next(call)
    return next({ ...call, args: { text: 'b' } })
  })
  await executeWith(registry, { name: 'look', args: { text: 'a' } }, { begin })
  await executeWith(registry, send, { allow, begin })
  expect(began).toEqual(['look', 'look', 'send'])
  const { registry: answering } = setting(async () => ({ status: 'success', result: 1, text: '' }))
  await executeWith(answering, send, { allow, begin })
  expect(began).toHaveLength(3)
})

test('runs no tool after the middleware has returned', async () => {
  let late: (() => Promise<unknown>) | undefined
  const { registry, ran } = setting(async (_, next) => {
    late = () => next()
    return { status: 'success', result: '', text: '' }
  })
  await executeWith(registry, send, { allow })
  expect(await late!()).toMatchObject({ status: 'error' })
  expect(ran).toEqual([])
})

test('an error it throws mentions what had run', async () => {
  const before = setting(() => Promise.reject(new Error('oh')))
  expect(messageOf(await executeWith(before.registry, send, { allow }))).toBe(
    'A middleware failed: oh',
  )
  const after = setting(async (call, next) => {
    await next(call)
    throw null
  })
  expect(messageOf(await executeWith(after.registry, send, { allow }))).toBe(
    'A middleware failed after send had run: null was thrown without a reason.',
  )
  const none = setting((() => undefined) as never)
  expect(messageOf(await executeWith(none.registry, send, { allow }))).toContain(
    'returned no result',
  )
})

test('middleware that does not end is abandoned after an abort, and the tool does not run then', async () => {
  vi.useFakeTimers()
  try {
    const stop = new AbortController()
    const hangs: Middleware = () => new Promise(() => {})
    const { registry, ran } = setting(hangs)
    const ended = executeWith(registry, send, { allow, signal: stop.signal })
    await vi.advanceTimersByTimeAsync(0)
    stop.abort()
    await vi.advanceTimersByTimeAsync(2000)
    expect(messageOf(await ended)).toBe('A middleware did not end when it was stopped.')
    expect(ran).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('middleware can still end after a tool was abandoned', async () => {
  vi.useFakeTimers()
  try {
    const stop = new AbortController()
    const registry = createRegistry([
      tool({
        name: 'send',
        description: 'send',
        parameters: z.object({}),
        execute: () => new Promise(() => {}),
      }),
    ])
    const seen: string[] = []
    registry.use(async (_, next) => {
      const result = await next()
      seen.push(messageOf(result))
      return result
    })
    const ended = executeWith(registry, send, { allow, signal: stop.signal })
    await vi.advanceTimersByTimeAsync(0)
    stop.abort()
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen).toEqual([messageOf(await ended)])
    expect(seen[0]).toMatch('It is unknown whether send finished')
  } finally {
    vi.useRealTimers()
  }
})
