import { output, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { hermes } from './hermes.ts'

export const granite4: Protocol<'granite-4'> = {
  ...hermes,
  id: 'granite-4',
  dialect: 'hermes',
  // Drawn separately instead of shared, so that protocols derived from this one are not attributed
  // to the original.
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Granite 4.0 and 4.1: like Hermes',
  models: [/granite-?4(?![.p]2)/i],
}

export const prompt: Prompt = ({
  tools,
}) => `You are a helpful assistant with access to the following tools. You may call one or more tools to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${openAiLines(tools)}
</tools>

For each tool call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.`
