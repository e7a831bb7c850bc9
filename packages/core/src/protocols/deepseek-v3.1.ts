import { args, calls, name, output, results, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import type { Examples, Family, Prompt, Protocol, ToolDefinition } from '../protocol.ts'

/**
 * Differs: the template does not list tools. The prompt is the one published by the model's
 * authors.
 */
export const deepseekV31: Protocol<'deepseek-v3.1'> = {
  id: 'deepseek-v3.1',
  section: wire`<｜tool▁calls▁begin｜>${calls()}<｜tool▁calls▁end｜>`,
  call: wire`<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${args}<｜tool▁call▁end｜>`,
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<｜end▁of▁sentence｜>', '<｜Assistant｜>', '<｜tool▁calls▁end｜>'],
  result: wire`<｜tool▁output▁begin｜>${output}<｜tool▁output▁end｜>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'DeepSeek V3.1: the name, a mark, JSON',
  models: [/deepseek.{0,6}v3[.p](?:1|2-?exp)/i],
}

export const prompt: Prompt = ({ tools }) => `## Tools
You have access to the following tools:

${tools.map(described).join('\n\n')}

IMPORTANT: ALWAYS adhere to this exact format for tool use:
<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>

Where:
- \`tool_call_name\` must be an exact match to one of the available tools
- \`tool_call_arguments\` must be valid JSON that strictly follows the tool's Parameters Schema
- For multiple tool calls, chain them directly without separators or spaces`

function described({ name, description, parameters }: ToolDefinition): string {
  return `### ${name}\nDescription: ${description ?? ''}\n\nParameters: ${spaced(parameters ?? {})}`
}

export const examples: Examples = {
  'two calls': {
    wire: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
}
