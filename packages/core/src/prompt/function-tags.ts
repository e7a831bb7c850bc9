/** The words in which families that write `<function=name>` are told of tools differ. */
interface Words {
  readonly kind: 'tool' | 'function'
  /** What is said of the list. */
  readonly list?: string
  /** The second value of the example. */
  readonly value?: string
  readonly rule: string
  readonly more?: boolean
}

/** How Qwen3-Coder, Qwen 3.5, Nemotron 3 and Step 3.5 are told of tools, which are already printed. */
export function functionTags(
  tools: string,
  { kind, list = '', value = LINES, rule, more = true }: Words,
): string {
  return `# Tools

You have access to the following ${kind}s${list}:

<tools>
${tools}
</tools>

If you choose to call a ${kind} ONLY reply in the following format with NO suffix:

<tool_call>
<function=example_function_name>
<parameter=example_parameter_1>
value_1
</parameter>
<parameter=example_parameter_2>
${value}
</parameter>
</function>
</tool_call>

<IMPORTANT>
Reminder:
- Function calls MUST follow the specified format: ${rule}
- Required parameters MUST be specified
${more ? MORE : ''}</IMPORTANT>`
}

/** Qwen 3.5 and Nemotron 3 alike. */
export const NESTED: Words = {
  kind: 'function',
  rule: 'an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags',
}

const LINES = 'This is the value for the second parameter\nthat can span\nmultiple lines'

const MORE = `- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after
- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls
`
