import { describe, expect, test } from 'vitest'
import { scripted } from '../../test/scripted.ts'
import { cycle, run, type RunOptions, turn, type TurnOptions } from '../index.ts'

const model = scripted([])

describe.each([
  ['run', (options: object) => run(options as RunOptions)],
  ['turn', (options: object) => turn(options as TurnOptions)],
])('%s checks its options when it is called', (_, start) => {
  test.each<[object, string]>([
    [{ prompt: 'Go' }, 'model must be a model: an object with a name and reply(), not undefined.'],
    [{ model: 'qwen3', prompt: 'Go' }, 'not "qwen3".'],
    [{ model }, 'messages must include a user message, unless there is a'],
    [
      { model, prompt: 7 },
      'prompt must be text, or a list of { type: "text", text } and { type: "image", url } with a URL data:image/…;base64,… or https://…, not 7.',
    ],
    [{ model, promt: 'Go' }, 'Unknown key "promt"'],
    [{ model, prompt: 'Go', promt: 'Go' }, 'Did you mean prompt?'],
    [{ model, prompt: 'Go', temperature: -5 }, 'temperature must be a number, 0 or more'],
    [{ model, prompt: 'Go', topP: 7 }, 'topP must be a number from 0 to 1, not 7.'],
    [{ model, prompt: 'Go', seed: 0.5 }, 'seed must be a whole number'],
    [{ model, prompt: 'Go', toolChoice: 'always' }, 'or { name }, not "always".'],
    [{ model, prompt: 'Go', toolChoice: 'required' }, 'toolChoice requires a call'],
    [{ model, prompt: 'Go', grammar: { text: 'x' } }, 'syntax must be "gbnf" or "lark"'],
    [{ model, prompt: 'Go', protocol: 'hermse' }, 'Did you mean hermes?'],
    [{ model, prompt: 'Go', abortSignal: null }, 'Use signal instead.'],
    [{ model, prompt: 'Go', limits: { maxRetries: -1 } }, 'maxRetries must be'],
    [{ model, messages: 'Go' }, 'messages must be a list of messages, not "Go".'],
    [{ model, messages: [{ role: 'user' }] }, 'content must be text, or a list'],
    [{ model, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0] must be a message'],
    [{ model, messages: [{ role: 'results' }] }, 'results must be a list of results'],
    [
      { model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'content must be text, or a list of',
    ],
    [
      { model, messages: [{ role: 'assistant', content: 'x', tool_calls: [] }] },
      'Unknown key "tool_calls" in messages[0]. Use calls instead',
    ],
    [
      {
        model,
        messages: [{ role: 'assistant', content: '', calls: [{ id: 'a', name: 'x', args: '{}' }] }],
      },
      'calls must be a list of calls',
    ],
  ])('%j', (options, message) => {
    expect(() => start(options)).toThrow(TypeError)
    expect(() => start(options)).toThrow(message)
  })
})

test('rejects a misplaced limit with advice', () => {
  const start = (options: object) => () => run({ model, prompt: 'Go', ...options })
  expect(start({ maxIterations: 5 })).toThrow('Put it in limits: { maxIterations: … }.')
  expect(start({ maxTokens: 5 })).toThrow('it is called maxOutputTokens')
  expect(start({ limits: { maxIterations: -1 } })).toThrow(
    'maxIterations must be a positive whole number, not -1.',
  )
  expect(start({ id: '' })).toThrow('id must be a string that is not empty')
  expect(start({ permissions: { dney: ['x'] } })).toThrow(TypeError)
  const ask = (options: object) => () => turn({ model, prompt: 'Go', ...options })
  expect(ask({ maxTokens: 5 })).toThrow('it is called maxOutputTokens')
  expect(ask({ maxTokens: 5 })).not.toThrow('limits')
  expect(ask({ maxIterations: 5 })).toThrow('A turn asks once')
})

test('cycle() requires calls', () => {
  const start = (options: object) => () => cycle(options as never)
  expect(start({})).toThrow('reply must be the result of turn() or parse()')
  expect(start({ reply: { calls: [{ name: 'x' }] } })).toThrow('each with a name and args')
  expect(start({ reply: { calls: [] }, promt: 'x' })).toThrow('Unknown key "promt"')
  expect(start({ reply: { calls: [] }, tools: ['look'] })).toThrow(TypeError)
})
