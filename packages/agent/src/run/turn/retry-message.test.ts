import { describe, expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, ended, scripted } from '../../../test/scripted.ts'
import { reader } from '../../../test/tools.ts'
import { collect, type Message, turn, type TurnOptions, type TurnResult } from '../../index.ts'
import type { ToolChoice } from '../../model/model.ts'
import { retryMessage } from './retry-message.ts'

const tools = [{ name: 'look' }, { name: 'other' }]

async function ask(reply: Parameters<typeof scripted>[0][number], more: Partial<TurnOptions> = {}) {
  const model = scripted([reply, 'Done.'], more.protocol === 'native' ? { native: true } : {})
  const result = await collect(turn({ model, tools, prompt: 'Go', ...more }))
  const again = async (message: Message): Promise<string> => {
    const messages: Message[] = [{ role: 'user', content: 'Go' }, result.message, message]
    await collect(turn({ model, tools, messages, ...more }))
    return JSON.stringify(model.sent[1])
  }
  return { result, again }
}

const broken = '<tool_call>{"name": 5}</tool_call>'

test('a malformed call: the model learns why, as in a run', async () => {
  const { result, again } = await ask(broken)
  const message = retryMessage(result)!
  const model = scripted([broken, 'Done.'])
  await collectEvents({ model, tools: [reader()], prompt: 'Go' })
  const inRun = model.sent[1]!.at(-1)!.content as string
  expect(message.results).toHaveLength(1)
  expect(inRun.replaceAll('\u2060', '')).toContain(message.results[0]!.output)
  const sent = await again(message)
  expect(sent).toContain('could not be parsed')
  // The marks of the broken call are inert.
  expect(sent).not.toContain(JSON.stringify(broken).slice(1, -1))
})

test('writes a message for a call that was cut off', async () => {
  const { result, again } = await ask(
    ended('<tool_call>\n{"name": "look", "arguments": {"k', 'length'),
  )
  const message = retryMessage(result)!
  expect(message).toMatchObject({
    results: [{ call: { name: 'look' }, status: 'cut_off', failed: true, invalid: true }],
  })
  expect(await again(message)).toContain('Write the whole call again')
})

test('calls next to a malformed one get results', async () => {
  const { result, again } = await ask(`${call('look', {})}\n${broken}`)
  const message = retryMessage(result)!
  expect(message.results.map(({ status }) => status)).toEqual(['not_run', undefined])
  await again(message)
})

test('usable calls get no message', async () => {
  for (const text of ['Done.', call('look', {})])
    expect(retryMessage((await ask(text)).result)).toBe(undefined)
})

describe('a tool choice', () => {
  const complain = (result: TurnResult, choice: ToolChoice): unknown => retryMessage(result, choice)

  test('reports that it was ignored', async () => {
    const { result, again } = await ask('Done.', { toolChoice: 'required' })
    const required = {
      role: 'results',
      results: [],
      notes: ['Your next reply must call at least one of these tools.'],
    }
    expect(complain(result, 'required')).toEqual(required)
    expect(await again(required as Message)).toContain(
      '"role":"user","content":"Your next reply must',
    )
    expect(complain(result, { name: 'look' })).toMatchObject({
      notes: ['Your next reply must call the tool look.'],
    })
    expect(complain(result, 'none')).toBe(undefined)
    expect(complain(result, 'auto')).toBe(undefined)
  })

  test('reports that a different tool was called', async () => {
    const { result } = await ask(call('look', {}))
    expect(complain(result, 'required')).toBe(undefined)
    expect(complain(result, { name: 'look' })).toBe(undefined)
    expect(complain(result, { name: 'other' })).toMatchObject({
      results: [
        { status: 'not_run', output: 'It was not run, because a different call is required.' },
      ],
      notes: ['Your next reply must call the tool other.'],
    })
    expect(complain(result, 'none')).toMatchObject({ results: [{ status: 'not_run' }] })
  })

  test('also applies to native calls', async () => {
    const { result, again } = await ask(
      [
        { type: 'call', index: 0, id: 'a', name: 'look', delta: '{"key": "' },
        { type: 'finish', finish: 'length' },
      ],
      { protocol: 'native' },
    )
    const message = retryMessage(result, { name: 'look' })!
    expect(message.notes).toHaveLength(1)
    expect(await again(message)).toContain('was cut off')
  })
})
