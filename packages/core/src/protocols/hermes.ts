import { args, calls, envelope, json, name, output, text, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import type { Wire } from '../wire.ts'

const openAiEnvelope = json({
  id: 'id',
  name: 'function.name',
  args: 'function.arguments',
  encoded: true,
})

/** Tags around the same JSON in fine-tuned models. */
const inTag = (tag: string): Wire => wire`<${tag}>\n${envelope}\n</${tag}>`

/**
 * The prompt is that of Qwen 2.5, Qwen 3 and QwQ. Differs: Hermes 2 Pro and 3 describe tools in one paragraph, with a Python
 * signature in each description; Bielik does so in Polish, with results after a mark; Reka Edge has no line breaks.
 */
export const hermes: Protocol<'hermes'> = {
  id: 'hermes',
  call: wire`<tool_call>\n${envelope}\n</tool_call>`,
  variants: [
    wire`<tool_call>\n${openAiEnvelope}\n</tool_call>`,
    wire`<tool_call>\n[${calls({ of: wire`${envelope}`, separator: ', ' })}]\n</tool_call>`,
    wire`<function=${name}>${args}</function>`,
    wire`<function name="${name}">${args}</function>`,
    inTag('function_call'),
    wire`${envelope}`,
  ],
  general: ['tool', 'tools', 'response', 'json', 'JSON', 'xml'].map(inTag),
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['<|im_end|>', '<|end_of_text|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Hermes 2 and 3, Qwen 2.5 and 3, QwQ: JSON between tags',
  models: [
    /hermes-?(?:2-[pt]|[34])|qwq|smollm-?3|mimo-(?:vl|7b)|bielik.{0,9}v3|reka-edge/i,
    /(?:^|_)(?:qwen-?(?:2|3(?![.p]\d|.*coder))|exaone-?4|ling-?2[.p][56]|step-?3-vl)/i,
    /trinity-[nml]|jamba-reas|llama-?3-groq/i,
  ],
}

export const prompt: Prompt = ({ tools }) => `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${openAiLines(tools)}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`

export const examples: Examples = {
  'one call': {
    wire: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'text, a thought and two calls': {
    wire: '<think>\nTwo cities.\n</think>\nLooking.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>\n<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
    reasoning: 'Two cities.',
    text: 'Looking.\n',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
    variant: true,
  },
}
