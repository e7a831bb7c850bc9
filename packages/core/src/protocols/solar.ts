import { args, calls, id, name, output, results, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol, ToolDefinition } from '../protocol.ts'

export const solar: Protocol<'solar'> = {
  id: 'solar',
  section: wire`<|tool_calls|>${calls({})}<|calls|>`,
  call: wire`<|tool_call:begin|>${id}<|tool_call:name|>${name}<|tool_call:args|>${args}<|tool_call:end|>`,
  reasoning: wire`<|think|>${text}<|end|>`,
  ignore: ['<|begin|>assistant', '<|content|>', '<|end|>', '<|flush|>', '<|calls|>'],
  result: wire`<|tool_response:begin|>${id}<|tool_response:name|>${name}<|tool_response:result|>${output}<|tool_response:end|>`,
  results: wire`<|tool_response|>${results('')}<|end|>`,
}

export const family: Family = {
  about: 'Solar Open: id, name and JSON, each after a mark',
  models: [/solar-?open(?!-?2)/i],
}

export const prompt: Prompt = ({ tools }) => `## Tools

### Tool Call Instruction
You may invoke one or more tools to assist with the user's query. Available tools are provided in JSON Schema format: <|tools:begin|><|tool:begin|><tools-json-object><|tool:end|>...<|tools:end|>

### Available Tools
<|tools:begin|>${tools.map(marked).join('')}<|tools:end|>

### Tool Call Format
For each tool call, return a JSON object with the following structure, enclosed within <|tool_call:begin|> and <|tool_call:end|> tags: 
<|tool_call:begin|><tool-call-id><|tool_call:name|><tool-name><|tool_call:args|><args-json-object><|tool_call:end|>
- The <tool-call-id> must be a randomly generated string consisting of 10 lowercase letters (a-z) and/or digits (0-9) (e.g., a1b2c3d4e5)

### Tool Response Format
Each tool is responded by \`tool\` with the following structure:
<|tool_response:id|><tool-call-id><|tool_response:name|><tool-name><|tool_response:result|><results><|tool_response:end|>
- Ensure the <tool-call-id> matches the corresponding tool call`

function marked(tool: ToolDefinition): string {
  return `<|tool:begin|>${spaced(bare(tool))}<|tool:end|>`
}

export const examples: Examples = {
  'one call': {
    wire: '<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>ping<|tool_call:args|>{}<|tool_call:end|><|calls|>',
    calls: [['ping', {}]],
    variant: true,
  },
}
