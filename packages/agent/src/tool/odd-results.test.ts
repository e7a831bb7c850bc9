import { expect, test } from 'vitest'
import { readRules } from '@toolglot/permissions'
import { execute } from './execute.ts'
import { tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/** The result of calling a tool that does this work. */
function called(work: () => unknown) {
  const odd = tool({
    name: 'odd',
    description: 'Does odd things',
    parameters: { type: 'object' },
    execute: work,
  })
  const tools = new Map([['odd', odd.access]])
  const { rules } = readRules({ allow: ['odd'] }, { tools })
  return execute(
    { id: '1', name: 'odd', args: {} },
    {
      tools: new Map([['odd', odd]]),
      permissions: { rules, tools },
      fileSystem: {
        cwd: '/w',
        home: '/h',
        roots: ['/w'],
        platform: 'linux',
        caseSensitive: true,
        follow: (path) => [path],
      },
    },
  )
}

function thrown(what: unknown): () => never {
  return () => {
    throw what
  }
}

const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

test.each([
  ['null', null],
  ['undefined', undefined],
  ['text', 'text'],
  ['a revoked proxy', revoked],
  ['a frozen error', Object.freeze(new Error('cold'))],
  [
    'an error whose properties throw',
    Object.defineProperty(new Error(), 'message', { get: thrown('no') }),
  ],
])('%s may be thrown', async (_, what) => {
  const outcome = await called(thrown(what))
  expect(outcome).toMatchObject({
    status: 'error',
    failure: { error_type: 'execution_failed', details: { code: 'internal' } },
  })
  if (outcome.status === 'error') expect(outcome.failure.message).toMatch(/\w/)
})

test('a ToolError is reported unchanged', async () => {
  expect(await called(thrown(new ToolError('not_found', 'No such thing.')))).toMatchObject({
    failure: { error_type: 'not_found', message: 'No such thing.' },
  })
})

test('converts any result to text', async () => {
  const circle: unknown[] = [1n, new Map([['a', new Set([1])]])]
  circle.push(circle, revoked)
  expect(await called(() => circle)).toMatchObject({
    status: 'success',
    text: expect.stringMatching(/^\["1",\{"a":\[1\]\},"\[Circular\]","\[unreadable: /) as string,
  })
  expect(await called(() => undefined)).toMatchObject({ status: 'success', text: '' })
})

test('truncates an endless result and marks it as truncated', async () => {
  const outcome = await called(async function* () {
    for (;;) yield 'x'.repeat(100_000)
  })
  expect(outcome).toMatchObject({ status: 'success', truncated: true })
  if (outcome.status === 'success') expect(outcome.text).toHaveLength(4 << 20)
})
