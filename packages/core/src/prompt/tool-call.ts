import { spaced } from '../print/spaced.ts'
import type { PromptContext, Schema, ToolDefinition } from '../protocol.ts'
import { membersOf, signature } from './signature.ts'

/**
 * The prompt of the protocol `tool-call`: the tools, how to call them, and examples with available
 * tools.
 */
export function toolCallPrompt({ tools }: PromptContext): string {
  return `You are an AI coding assistant with access to these tools:

AVAILABLE TOOLS:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

TOOL CALLING PROTOCOL:
When you need to use a tool, respond with this EXACT format:

<TOOL_CALL>
{
  "tool": "tool_name",
  "args": {"arg1": "value1"},
  "reasoning": "why you need this tool"
}
</TOOL_CALL>

IMPORTANT RULES:
1. Use ONLY ONE tool call per response
2. JSON inside <TOOL_CALL> must be valid
3. "tool" must match exactly one of the available tools
4. "args" must include all required parameters
5. After receiving TOOL_RESULT, you can make another tool call or provide final answer
6. When you have the final answer, respond normally without any tags

EXAMPLES:
${tools.slice(0, 3).map(conversation).join('\n\n')}`
}

/** A user's request and the resulting call. The documented tool gets the documented example. */
function conversation(tool: ToolDefinition): string {
  const { name, parameters } = tool
  return signature(tool).startsWith('read_file(path: string)')
    ? `User: "What's in package.json?"
You: <TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to answer"
}
</TOOL_CALL>

System: TOOL_RESULT: {"success": true, "data": {"content": "{\\"version\\": \\"1.0.0\\"}"}}

You: The package.json contains version 1.0.0`
    : `User: "Use ${name}"
You: <TOOL_CALL>
${spaced({ tool: name, args: sample({ ...parameters, type: 'object' }) })}
</TOOL_CALL>`
}

/** A value that matches a schema. Objects get only their required members. */
function sample(schema: Schema): unknown {
  const { type, anyOf } = schema
  const [only] = [schema['const'] ?? schema.enum].flat()
  if (Array.isArray(anyOf)) return sample((anyOf[0] ?? {}) as Schema)
  if (type === 'object')
    return Object.fromEntries(
      membersOf(schema).flatMap(([name, each, required]) =>
        required ? [[name, sample(each)]] : [],
      ),
    )
  if (type === 'array') return []
  if (only !== undefined) return only
  return /int|num/.test(String(type)) ? 1 : type === 'boolean' || 'value1'
}
