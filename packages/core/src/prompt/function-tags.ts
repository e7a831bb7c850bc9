/** The differences between the prompts of families that use `<function=name>`. */
interface Words {
  readonly kind: 'tool' | 'function'
  /** The text before the list of tools. */
  readonly list?: string
  /** The second value of the example. */
  readonly value?: string
  readonly rule: string
  readonly more?: boolean
}

/** The prompt of Qwen3-Coder, Qwen 3.5, Nemotron 3 and Step 3.5. The tools are already printed. */
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

/** Shared by Qwen 3.5 and Nemotron 3. */
export const NESTED: Words = {
  kind: 'function',
  rule: 'an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags',
}

const LINES = 'This is the value for the second parameter\nthat can span\nmultiple lines'

const MORE = `- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after
- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls
`
