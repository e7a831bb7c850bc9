import { describe, expect, test } from 'vitest'
import { printCalls, printPrompt, printResult, protocols } from '../index.ts'

const now = { name: 'now', description: 'The time' }

const calls = [
  { name: 'book', args: { place: 'Zum Bären', guests: 2 } },
  { name: 'now', args: {} },
]

/** As the models' own chat templates write it: what is told of a tool, two calls of a turn, a result. */
const golden: Record<string, { prompt: string; calls?: string; result?: string }> = {
  harmony: {
    prompt:
      'namespace functions {\n\n// The time\ntype now = () => any;\n\n} // namespace functions',
    calls:
      ' to=functions.book<|channel|>commentary json<|message|>{"place": "Zum Bären", "guests": 2}<|call|><|start|>assistant to=functions.now<|channel|>commentary json<|message|>{}<|call|>',
    result:
      '<|start|>functions.now to=assistant<|channel|>commentary<|message|>"{\\"hour\\": 7}"<|end|>',
  },
  glimmer: {
    prompt:
      '// Tool metadata\n{"name": "now", "description": ""}\n// Function schemas\n{"name": "now", "description": "The time"}\n\n',
    result: '<tool_output name="now">\n{"hour": 7}\n</tool_output>',
  },
  gigachat3: {
    prompt: 'namespace functions {\n// The time\ntype now = () => any;\n\n} // namespace functions',
    result: '{"hour": 7}',
  },
  cohere: {
    prompt: '```json\n[\n    {"name": "now", "description": "The time", "responses": null}\n]\n```',
    calls:
      '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "book", "parameters": {"place": "Zum Bären", "guests": 2}},\n    {"tool_call_id": "1", "tool_name": "now", "parameters": {}}\n]<|END_ACTION|>',
    result:
      '<|START_TOOL_RESULT|>[\n    {\n        "tool_call_id": "1",\n        "results": {\n            "0": "{\\"hour\\": 7}"\n        },\n        "is_error": null\n    }\n]<|END_TOOL_RESULT|>',
  },
  'kimi-k2': {
    prompt: '[{"type": "function", "function": {"name": "now", "description": "The time"}}]',
    calls:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.book:0<|tool_call_argument_begin|>{"place": "Zum Bären", "guests": 2}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    result: '## Return of functions.now:1\n{"hour": 7}',
  },
  'kimi-k3': {
    prompt: '[{"function":{"description":"The time","name":"now"},"type":"function"}]\n```',
    calls:
      '<|open|>tools<|sep|><|open|>call tool="book" index="1"<|sep|><|open|>argument key="place" type="string"<|sep|>Zum Bären<|close|>argument<|sep|><|open|>argument key="guests" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="now" index="2"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    result:
      '<|open|>message role="tool" tool="now" index="1"<|sep|>{"hour": 7}<|close|>message<|sep|>',
  },
  'deepseek-v3': {
    prompt: '[\n  {\n    "name": "now",\n    "description": "The time"\n  }\n]\n\n',
    calls:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>book\n```json\n{"place": "Zum Bären", "guests": 2}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  'deepseek-v3.1': {
    prompt: '### now\nDescription: The time\n\nParameters: {}\n\n',
    result: '<｜tool▁output▁begin｜>{"hour": 7}<｜tool▁output▁end｜>',
  },
  'deepseek-dsml': {
    prompt: '### Available Tool Schemas\n\n{"name": "now", "description": "The time"}\n\n',
    result: '<tool_result>{"hour": 7}</tool_result>',
  },
  apertus: {
    prompt: 'Tool Capabilities:\n// The time\ntype now = () => any;',
    calls:
      '<|tools_prefix|>[{"book": {"place": "Zum Bären", "guests": 2}}, {"now": {}}]<|tools_suffix|>',
    result: '[{"hour": 7}]',
  },
  solar: {
    prompt:
      '<|tools:begin|><|tool:begin|>{"name": "now", "description": "The time"}<|tool:end|><|tools:end|>\n',
    result:
      '<|tool_response:begin|>1<|tool_response:name|>now<|tool_response:result|>{"hour": 7}<|tool_response:end|>',
  },
  'functionary-v3.2': {
    prompt:
      'namespace functions {\n\n// The time\ntype now = () => any;\n\n} // namespace functions',
    calls: '>>>book\n{"place": "Zum Bären", "guests": 2}>>>now\n{}',
  },
  granite: {
    prompt:
      '[\n    {\n        "type": "function",\n        "function": {\n            "name": "now",\n            "description": "The time"\n        }\n    }\n]',
  },
}

describe.each(Object.entries(golden))('%s', (id, expected) => {
  const protocol = protocols[id]!

  test('tells of a tool', () => {
    expect(printPrompt(protocol, [now])).toContain(expected.prompt)
  })

  if (expected.calls !== undefined) {
    test('writes calls', () => {
      expect(printCalls(protocol, calls)).toBe(expected.calls)
    })
  }

  if (expected.result !== undefined) {
    test('writes a result', () => {
      const call = { name: 'now', id: '1' }
      expect(printResult(protocol, { call, output: '{"hour": 7}' })).toBe(expected.result)
    })
  }
})
