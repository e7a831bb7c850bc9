import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  familyOf,
  parse,
  printCalls,
  printPrompt,
  printResult,
  protocolFor,
  protocols,
} from './index.ts'
import { isLong } from '../../../tests/helpers/size.ts'

/** Pairs of a model's name and the id of its protocol, or `none`. */
const names = readFileSync(new URL('../test/fixtures/model-names.txt', import.meta.url), 'utf8')
  .replace(/^#.*\n/gm, '')
  .trim()
  .split(/\n{2,}/)
  .flatMap((block) => {
    const [id = '', ...members] = block.split('\n')
    return members.map((name): [string, string] => [name, id])
  })
const known = names.filter(([, id]) => id !== 'none')
const withModels = Object.values(protocols).filter((protocol) => familyOf(protocol).models)

describe('a name', () => {
  test.each(known)('%s writes %s', (name, id) => {
    // A name that matches several protocols would get none.
    expect(protocolFor(name).protocol?.id ?? protocolFor(name).nearest).toBe(id)
  })

  test.each(names.filter(([, id]) => id === 'none'))('%s has no protocol', (name) => {
    expect(protocolFor(name).protocol).toBeUndefined()
  })

  test('every protocol with model names has one in the list', () => {
    const listed = new Set(known.map(([, id]) => id))
    expect(withModels.map(({ id }) => id).filter((id) => !listed.has(id))).toEqual([])
  })

  test.each(known)('%s in any case, quantized, in a folder', (name, id) => {
    const end = name.includes(':') ? '-q4_K_M' : '-Q4_K_M.gguf'
    const again = [name.toUpperCase(), name.toLowerCase(), name + end, `/srv/qwen3/${name}/`]
    // Ollama's bare `mistral` matches only without a suffix.
    if (name === 'mistral') again.splice(2, 1)
    for (const other of again) expect([other, protocolFor(other).protocol?.id]).toEqual([other, id])
  })

  test('that fits several families has no protocol but lists them', () => {
    const { protocol, nearest } = protocolFor('TeichAI/Qwen3-8B-Kimi-K2-Thinking-Distill-GGUF')
    expect([protocol, nearest]).toEqual([undefined, ['hermes', 'kimi-k2']])
  })

  test.each([
    ['hermse', ['hermes']],
    ['qwen9-max', ['qwen3-coder', 'hermes']],
    ['glm-4-9b-chat', ['glm']],
    ['phi3:mini', ['functools']],
    ['gemini-2.5-pro', []],
    ['Ring-1T', []],
    ['o3-mini', []],
    [' gpt-4.1 ', ['harmony']],
    ['llama-5-8b', ['llama3-json', 'llama3', 'pythonic']],
    ['deepseek-chat', ['deepseek-v3', 'deepseek-dsml', 'deepseek-v3.1']],
    ['gemma-3-27b-it', ['gemma4']],
    ['claude-sonnet-4-5', []],
    ['', []],
    ['///', []],
  ])('%s is near %j', (name, nearest) => {
    expect(protocolFor(name)).toEqual({ protocol: undefined, nearest })
  })

  test('returns a protocol to pass to parse, or undefined to read any', () => {
    const reply = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'
    for (const model of ['qwen3:8b', 'some-model'])
      expect(parse(reply, { protocols: protocolFor(model).protocol }).calls).toMatchObject([
        { name: 'ping', complete: true },
      ])
  })
})

describe('a chat template', () => {
  const idOf = (chatTemplate: string): unknown => {
    const { protocol, nearest } = protocolFor({ chatTemplate })
    return protocol?.id ?? nearest
  }

  const hermes = `<tool_call>\\n{\\"name\\": \\"' + call.name + '\\", \\"arguments\\": ' + (call.arguments | tojson) + '}\\n</tool_call>`
  test.each([
    ['hermes', `{{ '${hermes}' }}{{ '<tool_response>' + content + '</tool_response><|im_end|>' }}`],
    [
      'hermes',
      `{{ '${hermes}' }}{{ '<tool_response>' + content + '</tool_response>' }}<|end_of_text|>`,
    ],
    [
      'qwen3-coder',
      `{{ '<tool_call>\\n<function=' + call.name + '>\\n' }}{{ '<parameter=' + key + '>' + value + '</parameter>' }}{{ '</function>\\n</tool_call><|im_end|><tool_response></tool_response>' }} or {{ '${hermes}' }}`,
    ],
    [
      'glm',
      `{{ '<tool_call>' + name }}<arg_key>{{ key }}</arg_key><arg_value>{{ value }}</arg_value></tool_call><|observation|><tool_response>{{ content }}</tool_response>`,
    ],
    [
      'laguna',
      `<assistant><tool_call>{{ name }}<arg_key>{{ key }}</arg_key><arg_value>{{ value }}</arg_value></tool_call></assistant><tool_response>{{ content }}</tool_response>`,
    ],
    [
      'mistral',
      `{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}[TOOL_RESULTS]{{ content }}[/TOOL_RESULTS]`,
    ],
    [
      'mistral-array',
      `{{ '[TOOL_CALLS][' + calls + ']' }}[TOOL_RESULTS]{{ content }}[/TOOL_RESULTS]`,
    ],
    ['deepseek-dsml', `{% set dsml = '｜DSML｜' %}{{ '<' + dsml + 'tool_calls>' }}`],
    ['lfm2', `{{ 'List of tools: <|tool_list_start|>[' + tools + ']<|tool_list_end|>' }}`],
    ['lfm2.5', `{{ 'List of tools: [' + tools + ']' }}<|im_end|>`],
    // Versions of these models write results differently.
    ['hermes', `{{ '${hermes}<|im_end|>' }}{{ '<|function_output|>' + content }}`],
    [
      'hermes',
      `<tool_call>\n{"name": "{{ name }}", "arguments": {{ arguments }}}\n</tool_call><|im_end|>`,
    ],
    [
      'apriel',
      `{{ 'Answer so: [BEGIN FINAL RESPONSE] … [END FINAL RESPONSE].\\n<tool_calls>[' + calls + ']</tool_calls>' }}<|tool_result|>{{ content }}`,
    ],
    [
      'xlam',
      `Write [{"name": "tool_call_name", "arguments": {}}]{{ '<|start_header_id|>' + 'ipython' + '<|end_header_id|>' + content + '<|eot_id|>' }}`,
    ],
    [
      'xlam',
      `Write [{"name": "tool_call_name", "arguments": {}}]<|im_start|>tool{{ content }}<|im_end|>`,
    ],
    [
      'pythonic',
      `Write [func_name1(params_name1=params_value1)]{{ '<|start_header_id|>ipython<|end_header_id|>' + content + '<|eot_id|>' }}`,
    ],
    [
      'pythonic',
      `Write [func_name1(param1=value1)]<start_of_turn>user<tool_response>{{ content }}</tool_response><end_of_turn>`,
    ],
    [
      'glm-4.7',
      `<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key><arg_value>{arg-value-1}</arg_value><arg_key>{arg-key-2}</arg_key><arg_value>{arg-value-2}</arg_value>...</tool_call><|observation|><tool_response>{{ content }}</tool_response>`,
    ],
    [
      'harmony',
      `{{ '<|start|>assistant<|channel|>commentary to=functions.' + name + '<|message|>' + arguments + '<|call|>' }}{{ '<|start|>functions.' + name + ' to=assistant<|channel|>commentary<|message|>' + content + '<|end|>' }}`,
    ],
    [
      'deepseek-v3.2',
      `{% set dsml = '｜DSML｜' %}{{ '<' + dsml + 'function_calls>' }}<function_results>\\n<result>{{ content }}</result></function_results>`,
    ],
  ])('of %s', (id, template) => {
    expect(idOf(template)).toBe(id)
  })

  test.each([
    '',
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' }}",
    '{"name": "…", "arguments": {}}',
    '<unknown_call>{{ call.name }}({{ call.arguments }})</unknown_call><tool_response>',
    '```json\n{"name": "x", "parameters": {}}\n```<|start_header_id|>ipython<|end_header_id|>',
    '<<<CALL>>>',
    // Marks of one protocol's calls around another format, and a common end-of-turn token.
    '<|tool_call_start|>\n```python\n{{ call }}\n```\n<|tool_call_end|><|im_end|>',
    // Without marks for results, the text between the marks of a call must match the picture.
    `{{ '<tool_call>' + call.name + '(' + call.arguments + ')</tool_call>' }}<|im_end|>`,
    `{{ '<tool_call>{"function": "' + call.name + '", "arguments": ' + call.arguments + '}</tool_call>' }}<|im_end|>`,
    `{{ '<tool_call>{"name": "' + call.name + '", "input": ' + call.input + '}</tool_call>' }}<|im_end|>`,
    `{{ '<invoke><function=' + call.name + '>' + call.arguments + '</function></invoke>' }}<|eot_id|>`,
  ])('with marks of no protocol has none: %j', (template) => {
    expect(protocolFor({ chatTemplate: template })).toEqual({ protocol: undefined, nearest: [] })
  })

  test('that fits several protocols equally has none but lists them', () => {
    expect(idOf('<|role_sep|><|tool_list_start|>')).toEqual(['lfm2', 'gigachat3'])
    const lists = '<tool_calls>{{ calls }}</tool_calls><tool_response>{{ content }}</tool_response>'
    expect(idOf(lists)).toEqual(['hunyuan-a13b', 'jamba'])
    expect(idOf(`${lists}助手：`)).toBe('hunyuan-a13b')
  })

  test('is recognized by marks rather than by the identifying text', () => {
    const asked = 'Respond in the format {"name": …, "parameters": dictionary of argument name'
    const result = '<|start_header_id|>ipython<|end_header_id|>'
    expect(idOf(asked + result)).toBe('llama3-json')
    expect(idOf(`${asked}<function={{ name }}>{{ arguments }}</function>${result}`)).toBe('llama3')
  })

  // A dialect's template is recognized by the marks that it shares with another protocol.
  const drawn = withModels.filter(({ dialect }) => !dialect)
  test.each(drawn.map((protocol) => [protocol.id, protocol] as const))(
    'made from the output of %s is recognized, or the protocol is a candidate',
    (id, protocol) => {
      const call = { name: 'f', args: { a: 'b' }, id: 'c1' }
      const written = [
        printPrompt(protocol, [{ name: 'f' }]),
        printCalls(protocol, [call]),
        printResult(protocol, { call, output: 'ok' }),
        ...(protocol.ignore ?? []).filter((mark) => typeof mark === 'string'),
        familyOf(protocol).template ?? '',
      ]
      const found = idOf(written.join('\n'))
      expect([found].flat()).toContain(id)
    },
  )
})

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom('<tool_call>', '[ARGS]', '|', '｜', 'qwen3', '-', '/', '§', 'llama', '"'),
      )
      .map((parts) => parts.join('')),
  )

  test('never throws, and yields a protocol or existing ids', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const answer of [protocolFor(given), protocolFor({ chatTemplate: given })]) {
          if (answer.protocol) expect(answer.nearest).toEqual([])
          for (const id of answer.nearest) expect(protocols).toHaveProperty([id])
        }
      }),
    )
  })

  test.each(['deepseek', 'llama3-', '_qwen3', 'mistral-', '|', '<', '/', '[/a', 'functionary'])(
    'is answered quickly if it repeats %j many times',
    (part) => {
      const long = part.repeat(isLong ? 1_000_000 : 100_000)
      for (const found of [protocolFor(long), protocolFor({ chatTemplate: long })])
        expect(found).toHaveProperty('nearest')
    },
  )

  test.each([[undefined], [null], [7], [{}], [{ chatTemplate: 7 }]])('%j is refused', (model) => {
    expect(() => protocolFor(model as unknown as string)).toThrow(TypeError)
  })
})
