import { describe, expect, test } from 'vitest'
import { scripted } from '../../test/scripted.ts'
import { cycle, run, type RunOptions, turn, type TurnOptions } from '../index.ts'

const model = scripted([])

describe.each([
  ['run', (options: object) => run(options as RunOptions)],
  ['turn', (options: object) => turn(options as TurnOptions)],
])('%s checks its options when it is called', (_, start) => {
  test.each<[object, string]>([
    [
      { prompt: 'Go' },
      'Expected model to be a model: an object with a name and reply(), got undefined.',
    ],
    [{ model: 'qwen3', prompt: 'Go' }, 'got "qwen3".'],
    [{ model }, 'Expected a prompt, or messages that include a user message.'],
    [
      { model, prompt: 7 },
      'Expected prompt to be text, or a list of { type: "text", text } and { type: "image", url } with a URL data:image/…;base64,… or https://…, got 7.',
    ],
    [{ model, promt: 'Go' }, 'Unknown key "promt"'],
    [{ model, prompt: 'Go', promt: 'Go' }, 'Did you mean prompt?'],
    [{ model, prompt: 'Go', temperature: -5 }, 'Expected temperature to be a number, 0 or more'],
    [{ model, prompt: 'Go', topP: 7 }, 'Expected topP to be a number from 0 to 1, got 7.'],
    [{ model, prompt: 'Go', seed: 0.5 }, 'Expected seed to be a whole number'],
    [{ model, prompt: 'Go', toolChoice: 'always' }, 'or { name }, got "always".'],
    [{ model, prompt: 'Go', toolChoice: 'required' }, 'toolChoice requires a call'],
    [{ model, prompt: 'Go', grammar: { text: 'x' } }, 'Expected syntax to be "gbnf" or "lark"'],
    [{ model, prompt: 'Go', protocol: 'hermse' }, 'Did you mean hermes?'],
    [{ model, prompt: 'Go', abortSignal: null }, 'It is called signal.'],
    [{ model, prompt: 'Go', limits: { maxRetries: -1 } }, 'Expected maxRetries to be'],
    [{ model, messages: 'Go' }, 'Expected messages to be a list of messages, got "Go".'],
    [{ model, messages: [{ role: 'user' }] }, 'Expected content to be text, or a list'],
    [{ model, messages: [{ role: 'tool', content: 'x' }] }, 'Expected messages[0] to be a message'],
    [{ model, messages: [{ role: 'results' }] }, 'Expected results to be a list of results'],
    [
      { model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'Expected content to be text, or a list of',
    ],
    [
      { model, messages: [{ role: 'assistant', content: 'x', tool_calls: [] }] },
      'Unknown key "tool_calls" in messages[0]. It is called calls',
    ],
    [
      {
        model,
        messages: [{ role: 'assistant', content: '', calls: [{ id: 'a', name: 'x', args: '{}' }] }],
      },
      'Expected calls to be a list of calls',
    ],
  ])('%j', (options, message) => {
    expect(() => start(options)).toThrow(TypeError)
    expect(() => start(options)).toThrow(message)
  })
})

test('a limit belongs in limits', () => {
  const start = (options: object) => () => run({ model, prompt: 'Go', ...options })
  expect(start({ maxIterations: 5 })).toThrow('It belongs in limits: { maxIterations: … }.')
  expect(start({ maxTokens: 5 })).toThrow('it is called maxOutputTokens')
  expect(start({ limits: { maxIterations: -1 } })).toThrow(
    'Expected maxIterations to be a positive whole number, got -1.',
  )
  expect(start({ id: '' })).toThrow('Expected id to be a string that is not empty')
  expect(start({ permissions: { dney: ['x'] } })).toThrow(TypeError)
  const ask = (options: object) => () => turn({ model, prompt: 'Go', ...options })
  expect(ask({ maxTokens: 5 })).toThrow('it is called maxOutputTokens')
  expect(ask({ maxTokens: 5 })).not.toThrow('limits')
  expect(ask({ maxIterations: 5 })).toThrow('A turn asks once')
})

test('a cycle needs calls', () => {
  const start = (options: object) => () => cycle(options as never)
  expect(start({})).toThrow('Expected reply to be what turn() or parse() returns')
  expect(start({ reply: { calls: [{ name: 'x' }] } })).toThrow('each with a name and args')
  expect(start({ reply: { calls: [] }, promt: 'x' })).toThrow('Unknown key "promt"')
  expect(start({ reply: { calls: [] }, tools: ['look'] })).toThrow(TypeError)
})
