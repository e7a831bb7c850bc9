import { spaced } from '../print/spaced.ts'
import type { PromptContext } from '../protocol.ts'
import { bareLines } from './tools.ts'

/** The prompt of Muse Glimmer: the tools, how to call them, and the possible recipients. */
export function glimmerTools({ tools }: PromptContext): string {
  const namespaces = [...new Set(tools.map((tool) => tool.name.split('.')[0]!))]
  return `In this environment you have access to a set of tools you can use to answer the user's question.

You can invoke a function by writing a "<atem:function_calls>" block like the following:
<atem:function_calls>
<atem:invoke name="$FUNCTION_NAME">
<atem:parameter name="$PARAMETER_NAME">$PARAMETER_VALUE</atem:parameter>
...
</atem:invoke>
</atem:function_calls>

String and scalar parameters should be specified as is, while lists and objects should use JSON format. Note that spaces for string values are not stripped. The output is not expected to be valid XML and is parsed with regular expressions.
Here are the functions available in JSONSchema format:
// Tool metadata
${namespaces.map((namespace) => spaced({ name: namespace, description: '' })).join('\n')}
// Function schemas
${bareLines(tools)}

Here's an example of how to call a function in the tool set:
(If the tool namespace is not specified, invoke the function directly as \`example_function_name\` rather than \`example_tool_name.example_function_name\`)

to=example_tool_name.example_function_name

<atem:function_calls>
<atem:invoke name="example_tool_name.example_function_name">
<atem:parameter name="example_parameter_1">value_1</atem:parameter>
<atem:parameter name="example_parameter_2">This is the value for the second parameter
that can span
"multiple" lines
</atem:parameter>
</atem:invoke>
</atem:function_calls>

# Valid recipients: ${['self', ...namespaces.map((namespace) => `${namespace}.*`), 'user'].map((recipient) => `"${recipient}"`).join(', ')}.`
}
