import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkChatStream } from '../../test/check-chat-stream.ts'

// Every client accepted these streams, so the checker must accept them too.
const folder = new URL('../../test/fixtures/streams/', import.meta.url)
const streams = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))

test.each(streams)('a stream that clients accept', (stream) => {
  const { problems, calls, finish } = checkChatStream(stream, { usage: true })
  expect(problems).toEqual([])
  expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])[0]).toEqual([
    'read_file',
    { path: '/home/user/ws/hello.txt' },
  ])
  expect(finish).toBe('tool_calls')
})

const two = streams.find((stream) => stream.includes('"index":1,"id"'))!

test('ignores comments', () => {
  const stream = two.replaceAll('data: ', ': ping\n\ndata: ')
  expect(checkChatStream(stream, { usage: true }).problems).toEqual([])
})

describe('a stream with one mistake', () => {
  const callOne = '"index":0,"id":"call_000002aytw9i","type":"function"'
  const last = '"delta":{},"finish_reason":"tool_calls"'
  test.each<[problem: string, from: string, to: string]>([
    ['the first delta has no role', '"role":"assistant",', ''],
    ['the role comes twice', '"delta":{"tool_calls"', '"delta":{"role":"assistant","tool_calls"'],
    ['a call has no index', '{"index":0,"id"', '{"id"'],
    ['the indexes of the calls have a gap', '{"index":0,"id"', '{"index":1,"id"'],
    ['the first delta of a call has no id', '"id":"call_000002aytw9i",', ''],
    ['the first delta of a call has no type', callOne, '"index":0,"id":"call_000002aytw9i"'],
    ['the first delta of a call has no name', '"name":"list_files",', ''],
    [
      'the name of a call comes twice',
      '"function":{"arguments":"{',
      '"function":{"name":"read_file","arguments":"{',
    ],
    [
      'the id of a call comes twice',
      '{"index":1,"function"',
      '{"index":1,"id":"call_000003yfvp0w","function"',
    ],
    ['the id of a call was used before', 'call_000003yfvp0w', 'call_000002aytw9i'],
    ['arguments are not a string', '"arguments":""', '"arguments":{}'],
    ['the first delta of a call has no arguments', ',"arguments":""', ''],
    ['tool_calls is not a list', last, '"delta":{"tool_calls":[]},"finish_reason":"tool_calls"'],
    ['a call is unfinished', '"arguments":"s\\"}"', '"arguments":"s"'],
    ['the finish reason is missing', '"finish_reason":"tool_calls"', '"finish_reason":null'],
    ['the finish reason is unknown', '"finish_reason":"tool_calls"', '"finish_reason":"calls"'],
    ['it has calls and finished without', '"finish_reason":"tool_calls"', '"finish_reason":"stop"'],
    [
      'a choice has no finish_reason: null is expected',
      '"content":""},"finish_reason":null',
      '"content":""}',
    ],
    [
      'a choice follows the finish reason',
      '"content":""},"finish_reason":null',
      '"content":""},"finish_reason":"stop"',
    ],
    ['content is not text', '"content":""', '"content":[]'],
    ['usage is missing', ',"usage":{"prompt_tokens":1000,', ',"used":{"prompt_tokens":1000,'],
    [
      'a chunk has neither choices nor usage',
      ',"usage":{"prompt_tokens":1000,',
      ',"used":{"prompt_tokens":1000,',
    ],
    ['usage does not add up', '"total_tokens":1020', '"total_tokens":1021'],
    ['a count of usage is missing', '"completion_tokens":20,', ''],
    [
      'the chunk with usage has choices',
      '"choices":[],"usage"',
      '"choices":[{"index":0,"delta":{},"finish_reason":null}],"usage"',
    ],
    ['[DONE] is missing', 'data: [DONE]\n\n', ''],
    ['something follows [DONE]', 'data: [DONE]\n\n', 'data: [DONE]\n\ndata: {}\n\n'],
    ['something follows [DONE]', 'data: [DONE]\n\n', 'data: [DONE]\n\ndata: [DONE]\n\n'],
    ['an event is not a JSON object: [', 'data: [DONE]', 'data: [\n\ndata: [DONE]'],
    ['an event is not one line of data: event: x', 'data: [DONE]', 'event: x\n\ndata: [DONE]'],
    ['the last event is not ended by an empty line', '[DONE]\n\n', '[DONE]\n'],
    ['a chunk has another object', 'chat.completion.chunk', 'chat.completion'],
    ['a chunk has no id', '"id":"chatcmpl-000001y0fr0u",', ''],
    ['the id of the chunks changes', 'chatcmpl-000001y0fr0u', 'chatcmpl-0'],
    ['a chunk has no time', '"created":1763200000,', ''],
    ['a chunk has no model', '"model":"m",', ''],
    ['a choice has no index', '[{"index":0,"delta"', '[{"delta"'],
  ])('%s', (problem, from, to) => {
    expect(two).toContain(from)
    const { problems } = checkChatStream(two.replace(from, to), { usage: true })
    expect(problems).toContain(problem)
  })

  test('a finish reason without the calls it reports', () => {
    const [first = ''] = two.split('\n\n')
    const stream = `${first}\n\n${two.slice(two.indexOf('data: ', two.indexOf(last) - 200))}`
    const { problems } = checkChatStream(stream, { usage: true })
    expect(problems).toEqual(['it finished with calls it has not'])
  })

  test('usage that was not requested, before the end, or twice', () => {
    const not = checkChatStream(two, { usage: false })
    expect(not.problems).toEqual(['there is usage that was not asked for'])
    const usage = two.split('\n\n').find((event) => event.includes('prompt_tokens'))!
    const early = two.replace('data: ', `${usage}\n\ndata: `)
    expect(checkChatStream(early, { usage: true }).problems).toEqual([
      'usage comes before the finish reason',
      'usage comes twice',
    ])
  })

  test('an id from an earlier turn', () => {
    const { problems } = checkChatStream(two, { usage: true, usedIds: ['call_000003yfvp0w'] })
    expect(problems).toEqual(['the id of a call was used before'])
  })

  test('an error ends the stream, without a finish reason', () => {
    const error = 'data: {"error":{"message":"m","type":"t","code":"c"}}\n\n'
    const at = two.indexOf('data: ', two.indexOf('"name":"list_files"'))
    const usage = { usage: true }
    expect(checkChatStream(two.slice(0, at) + error, usage)).toMatchObject({
      problems: [],
      error: { code: 'c' },
    })
    const goesOn = checkChatStream(`${two.slice(0, at)}${error}data: [DONE]\n\n`, usage)
    expect(goesOn.problems).toEqual(['something follows the error'])
    const late = two.slice(0, two.indexOf('data: [DONE]')) + error
    expect(checkChatStream(late, usage).problems).toEqual(['an error follows the finish reason'])
    const bare = checkChatStream(`data: {"error":{"message":"m"}}\n\n`, usage)
    expect(bare.problems).toEqual(['an error lacks its message, type or code'])
  })
})
