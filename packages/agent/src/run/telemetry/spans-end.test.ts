import { SpanStatusCode } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { call, onHang, optionsFor, recordSpans, SECRET } from '../../../test/recorded-spans.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { ModelError } from '../../model/model-error.ts'
import type { ScriptedReply } from '../../model/scripted-model.ts'
import { collect } from '../run-result.ts'
import { run } from '../run.ts'

const { spans, named, tree, started, reset } = recordSpans()

test('errors have a type but no message', async () => {
  const script = [
    call('failing'),
    call('changing'),
    call('echo', { text: 'a' }),
    new ModelError('refused', SECRET),
  ]
  await collect(run(optionsFor(script)))
  const failures = spans()
    .filter(({ status }) => status.code === SpanStatusCode.ERROR)
    .map(({ name, attributes, status }) => [name, attributes['error.type'], status.message])
  expect(failures).toEqual([
    ['execute_tool failing', 'not_found', undefined],
    // The call needed approval, but no approver was available.
    ['execute_tool changing', 'permission_denied', undefined],
    ['chat script hermes', 'refused', undefined],
    ['invoke_agent', 'model_error', undefined],
  ])
  expect(named('execute_tool changing')[0]!.attributes['toolglot.tool.status']).toBe('denied')
})

test('a cancelled run ends all its spans', async () => {
  const stop = new AbortController()
  onHang.run = () => stop.abort()
  await collect(run(optionsFor([call('hanging')], { signal: stop.signal })))
  onHang.run = () => {}
  expect(tree()).toEqual([
    '- > invoke_agent',
    'invoke_agent > chat script hermes',
    'invoke_agent > execute_tool hanging',
  ])
  expect(named('invoke_agent')[0]!.attributes).toMatchObject({ 'error.type': 'cancelled' })
  expect(named('execute_tool hanging')[0]!.attributes).toMatchObject({
    'toolglot.tool.status': 'unknown',
  })
})

test('ends them when the reader leaves or the run is stopped during a reply', async () => {
  for await (const event of run(optionsFor([call('hanging')])))
    if (event.type === 'tool-start') break
  await expect.poll(() => spans().length).toBe(3)
  reset()
  const stop = new AbortController()
  const waits: ScriptedReply = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      stop.abort()
    })
  await collect(run(optionsFor([waits], { signal: stop.signal })))
  expect(spans().map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['chat script hermes', 'cancelled'],
    ['invoke_agent', 'cancelled'],
  ])
})

test("the wait for approval is not part of the tool's span", async () => {
  const options = optionsFor([call('changing'), 'Done.'], {
    approve: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      started.push('approved')
      return { verdict: 'allow' }
    },
  })
  await collect(run(options))
  expect(started.slice(-3)).toEqual(['approved', 'execute_tool changing', 'chat script hermes'])
})

test('a resumed run has no spans for earlier steps', async () => {
  const journal = memoryJournal()
  const release = new AbortController()
  const first = run({
    ...optionsFor([call('echo', { text: 'a' })]),
    id: 'run-1',
    journal,
    release: release.signal,
  })
  for await (const event of first) if (event.type === 'tool-end') release.abort()
  expect(named('invoke_agent')[0]).toMatchObject({
    attributes: { 'toolglot.run.reason': 'interrupted' },
    status: { code: SpanStatusCode.UNSET },
  })
  reset()
  await collect(run({ ...optionsFor(['Done.']), id: 'run-1', journal }))
  expect(tree()).toEqual(['- > invoke_agent', 'invoke_agent > chat script hermes'])
})
