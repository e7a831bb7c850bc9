import { each, key, name, output, text, value, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const members = each(
  [
    wire`<param name="${key}">${value({ words: 'python' })}</param>`,
    wire`<param name="${key}"><![CDATA[${value({ anything: true })}]]></param>`,
    wire`<paramname="${key}">${value()}</param>`,
  ],
  { avoid: ['<', '&', '\n'] },
)

/** Differs: lists and objects are JSON; in the template they are Python. */
export const minicpm5: Protocol<'minicpm5'> = {
  id: 'minicpm5',
  call: wire`<function name="${name}">${members}</function>`,
  variants: [
    wire`<function name="${name}">\n<arguments>${members}</arguments>\n</function>`,
    wire`<functionname="${name}">${members}</function>`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'MiniCPM 5: named attributes',
  models: [/minicpm-?5/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${openAiLines(tools)}
</tools>

Tool usage guidelines:
- You may call zero or more functions. If no function calls are needed, just answer normally and do not include any <function ... </function>.
- When calling a function, return an XML object within <function ... </function> using:
<function name="function-name"><param name="param-name">param-value</param></function>
- param-value may be multi-line. If it contains <, & or newline characters, wrap it in a CDATA block: <param name="param-name"><![CDATA[...multi-line value...]]></param>`

export const examples: Examples = {
  'one call': {
    wire: '<function name="get_weather"><param name="city">Paris</param></function>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'a value that contains tags': {
    wire: '<function name="write_file"><param name="path">a.html</param><param name="content"><![CDATA[<p>a</p>\n]]></param></function>',
    calls: [['write_file', { path: 'a.html', content: '<p>a</p>\n' }]],
  },
}
