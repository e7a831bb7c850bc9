import { calls, json, keywords, name, outputJson, results, wire } from '../draw.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const together = calls({ separator: '; ' })

/**
 * Follows the templates of Llama 3.1 to 3.3, which put the prompt into the first user message.
 * Differs: they allow one call per turn.
 */
export const llama3Json: Protocol<'llama3-json'> = {
  id: 'llama3-json',
  section: wire`${together}`,
  call: wire`${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}`,
  variants: [
    wire`<|python_tag|>${together}`,
    wire`<|python_tag|>${name}.call(${keywords}`,
    wire`${json({ name: 'function.name', args: ['function.parameters', 'function.arguments'], encoded: true })}`,
  ],
  ignore: ['<|eot_id|>', '<|eom_id|>'],
  result: wire`<|start_header_id|>ipython<|end_header_id|>\n\n${outputJson}`,
  results: wire`${results('<|eot_id|>')}`,
}

export const family: Family = {
  about: 'Llama 3.1 to 3.3: the reply is a JSON object',
  models: [
    /(?:^|[_.])(?:meta-)?llama-?v?3[-_.p][123](?![\db]|.*(?:nemotron-[nsu]|hermes|tulu))/i,
    /^nemotron(?::|$)/i,
  ],
  template: '"parameters": dictionary of',
}

export const prompt: Prompt = ({
  tools,
}) => `Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.

Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.Do not use variables.

${tools.map((tool) => JSON.stringify(openAiTool(tool), null, 4)).join('\n\n')}`

export const examples: Examples = {
  'one call': {
    wire: '{"name": "get_weather", "parameters": {"city": "Paris"}}',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'two calls': {
    wire: '{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "ping", "parameters": {}}',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
  'as the API writes it': {
    wire: '{"type": "function", "function": {"name": "ping", "parameters": {"n": 1}}}',
    calls: [['ping', { n: 1 }]],
    variant: true,
  },
}
