/**
 * The documented examples of the protocol `tool-call`, verbatim, except for these changes:
 *
 * - `parser`, `availableTools`, `Tool` and `toolCall` are undefined in the document; here they are
 *   defined.
 * - `parsed.tool` is narrowed by a matcher, since TypeScript does not allow it on a reply that may
 *   be text.
 * - `parseResponse` and `validateToolCall` are the exported functions, which must return the same
 *   as the printed ones.
 * - The snippets about errors have a `return` outside of a function, so they are wrapped in one.
 * - Called values are not `any`, which the linter rejects.
 * - `reasoning` is omitted if there is none, instead of undefined.
 * - Line breaks and quotes are those of the formatter.
 */
import type { ToolDefinition } from '@toolglot/core'
import { describe, expect, it, test, vi } from 'vitest'
import {
  parseResponse,
  type ParsedResponse,
  ResponseParser,
  TOOL_CALL_PATTERN,
  validateToolCall,
} from './index.ts'

const availableTools: ToolDefinition[] = [
  // Good: Clear, specific
  {
    name: 'read_file',
    description: 'Read the complete content of a file from disk',
    parameters: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: "Absolute or relative file path (e.g., 'src/index.ts')",
        },
      },
      required: ['path'],
    },
  },
]

describe('Tool Call Parser', () => {
  const parser = new ResponseParser()

  it('should parse valid tool call', () => {
    const response = '<TOOL_CALL>{"tool":"read_file","args":{"path":"test.ts"}}</TOOL_CALL>'
    const parsed = parser.parse(response)
    expect(parsed.type).toBe('tool_call')
    expect(parsed).toHaveProperty('tool', 'read_file')
  })

  it('should handle malformed JSON', () => {
    const response = '<TOOL_CALL>{invalid json}</TOOL_CALL>'
    const parsed = parser.parse(response)
    expect(parsed.type).toBe('text')
  })
})

describe('parsing rules', () => {
  const parser = new ResponseParser(availableTools)

  test('a valid call', () => {
    const response = `<TOOL_CALL>
{"tool": "read_file", "args": {"path": "test.ts"}}
</TOOL_CALL>`
    const expected = { type: 'tool_call', tool: 'read_file', args: { path: 'test.ts' } }
    expect(parser.parse(response)).toEqual(expected)
    expect(parseResponse(response)).toEqual(expected)
  })

  test('the format of a request', () => {
    const response = `<TOOL_CALL>
{
  "tool": "tool_name",
  "args": {
    "param1": "value1",
    "param2": "value2"
  },
  "reasoning": "Optional explanation why this tool is needed"
}
</TOOL_CALL>`
    expect(parseResponse(response)).toEqual({
      type: 'tool_call',
      tool: 'tool_name',
      args: { param1: 'value1', param2: 'value2' },
      reasoning: 'Optional explanation why this tool is needed',
    })
  })

  const unclosed = '<TOOL_CALL>\n{"tool": "read_file"}\n'
  const notJson = '<TOOL_CALL>\n{tool: "read_file", args: {path: "test.ts"}}\n</TOOL_CALL>'
  const unknownTool = '<TOOL_CALL>\n{"tool": "unknown_tool", "args": {}}\n</TOOL_CALL>'
  const noArguments = '<TOOL_CALL>\n{"tool": "read_file", "args": {}}\n</TOOL_CALL>'

  test.each([
    ['missing closing tag', unclosed],
    ['missing closing tag, with arguments', unclosed.replace('"}', '", "args": {"path": "a"}}')],
    ['invalid JSON', notJson],
    ['unknown tool', unknownTool],
    ['missing required args', noArguments],
  ])('%s is text', (_, response) => {
    expect(parser.parse(response)).toEqual({ type: 'text', content: response })
    expect(parseResponse(response, availableTools)).toEqual({ type: 'text', content: response })
  })

  test('treats four invalid calls in a row as one text', () => {
    const response = [unclosed, notJson, unknownTool, noArguments].join('\n\n')
    expect(parser.parse(response)).toEqual({ type: 'text', content: response })
  })

  test('without tools, any name is accepted', () => {
    expect(parseResponse(unclosed).type).toBe('text')
    expect(parseResponse(notJson).type).toBe('text')
    expect(parseResponse(unknownTool)).toMatchObject({ tool: 'unknown_tool' })
    expect(parseResponse(noArguments)).toMatchObject({ tool: 'read_file', args: {} })
  })

  test.each([
    ['no args', '<TOOL_CALL>{"tool": "read_file"}</TOOL_CALL>'],
    ['null as args', '<TOOL_CALL>{"tool": "read_file", "args": null}</TOOL_CALL>'],
    ['no tool', '<TOOL_CALL>{"args": {"path": "a"}}</TOOL_CALL>'],
    ['an empty tool', '<TOOL_CALL>{"tool": "", "args": {"path": "a"}}</TOOL_CALL>'],
    ['a trailing comma', '<TOOL_CALL>{"tool": "read_file", "args": {"path": "a"},}</TOOL_CALL>'],
    ['nothing', '<TOOL_CALL></TOOL_CALL>'],
    ['an empty reply', ''],
    ['a final answer', 'Based on the file content, the version is 1.0.0'],
  ])('%s is text', (_, response) => {
    expect(parseResponse(response)).toEqual({ type: 'text', content: response })
  })

  test('tool names are case-sensitive', () => {
    const response = '<TOOL_CALL>{"tool": "Read_File", "args": {"path": "a"}}</TOOL_CALL>'
    expect(parser.parse(response).type).toBe('text')
  })

  test('whitespace in the tags and text around them are allowed', () => {
    const response =
      'I look.\n<TOOL_CALL>\n\n\t {"tool": "read_file", "args": {"path": "a"}}  \n</TOOL_CALL>\n'
    expect(parser.parse(response)).toMatchObject({ tool: 'read_file', args: { path: 'a' } })
  })

  test('only the first of several calls is parsed', () => {
    const one = '<TOOL_CALL>{"tool": "read_file", "args": {"path": "1"}}</TOOL_CALL>'
    const response = `${one}\n${one.replace('1', '2')}`
    expect(parseResponse(response)).toMatchObject({ args: { path: '1' } })
  })
})

describe('the documented parser', () => {
  /** Verbatim from the document. */
  function documented(response: string): ParsedResponse {
    const match = response.match(TOOL_CALL_PATTERN)

    if (!match) {
      return { type: 'text', content: response }
    }

    try {
      const toolCall = JSON.parse(match[1]!)

      // Validate
      if (!toolCall.tool || !toolCall.args) {
        throw new Error('Invalid tool call format')
      }

      return {
        type: 'tool_call',
        tool: toolCall.tool,
        args: toolCall.args,
        reasoning: toolCall.reasoning,
      }
    } catch {
      // JSON parse error - treat as text
      return { type: 'text', content: response }
    }
  }

  const call = '<TOOL_CALL>{"tool":"read_file","args":{"path":"a"}}</TOOL_CALL>'

  test.each([
    call,
    `Text before. ${call} Text after.`,
    `${call}${call.replace('"a"', '"b"')}`,
    call.replace('}}', '}, "reasoning": "why"}'),
    call.replace('}}', '}, "extra": 1}'),
    call.replace('"a"', '12345678901234567890'),
    call.replace('"a"', '"\\u00e9 \\n ü 例"'),
    call.replace('"a"', '[1, {"b": null}]'),
    call.replace('{"path":"a"}', '{}'),
    call.replace('</TOOL_CALL>', ''),
    call.replace('<TOOL_CALL>', ''),
    call.replace('"read_file"', 'read_file'),
    call.replace('"args"', '"arguments"'),
    call.replace('{"path":"a"}', 'null'),
    '<TOOL_CALL>\n</TOOL_CALL>',
    'No call at all',
    '',
  ])('gives the same result: %j', (response) => {
    expect(parseResponse(response)).toEqual(documented(response))
  })

  test('a mark inside a string does not end the call, as it does there', () => {
    const response = call.replace('"a"', '"</TOOL_CALL>"')
    expect(documented(response).type).toBe('text')
    expect(parseResponse(response)).toMatchObject({ args: { path: '</TOOL_CALL>' } })
  })

  test.each([
    ['a list', '[1]'],
    ['a text', '"a"'],
    ['a number', '5'],
  ])('arguments that are %s are rejected, unlike there', (_, args) => {
    const response = call.replace('{"path":"a"}', args)
    expect(documented(response).type).toBe('tool_call')
    expect(parseResponse(response).type).toBe('text')
  })
})

describe('validateToolCall', () => {
  test.each([
    [{ tool: 'read_file', args: { path: 'a' } }, { isValid: true }],
    [
      { tool: 'nope', args: {} },
      { isValid: false, error: 'Unknown tool: nope' },
    ],
    [
      { tool: 'read_file', args: {} },
      { isValid: false, error: 'Missing required parameter: path' },
    ],
    [{ tool: 'read_file' }, { isValid: false, error: 'Missing required parameter: path' }],
    [
      { tool: 'read_file', args: null },
      { isValid: false, error: 'Missing required parameter: path' },
    ],
    [{}, { isValid: false, error: 'Unknown tool: undefined' }],
  ])('%j', (toolCall, expected) => {
    expect(validateToolCall(toolCall, availableTools)).toEqual(expected)
  })

  test('inherited members are not arguments', () => {
    const tool = { name: 'a', parameters: { type: 'object', required: ['constructor'] } } as const
    expect(validateToolCall({ tool: 'a', args: {} }, [tool]).isValid).toBe(false)
  })

  test('a tool without parameters needs none', () => {
    expect(validateToolCall({ tool: 'ping', args: {} }, [{ name: 'ping' }])).toEqual({
      isValid: true,
    })
  })
})

test('the pattern for a call', () => {
  const response = 'a <TOOL_CALL> {"tool":"x"} </TOOL_CALL> b'
  expect(TOOL_CALL_PATTERN.source).toBe('<TOOL_CALL>\\s*([\\s\\S]*?)\\s*<\\/TOOL_CALL>')
  expect(response.match(TOOL_CALL_PATTERN)![1]).toBe('{"tool":"x"}')
})

describe('error handling', () => {
  test('parse errors', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const response = '<TOOL_CALL>{invalid json}</TOOL_CALL>'
    const match = response.match(TOOL_CALL_PATTERN)!

    const handle = (): ParsedResponse => {
      // Malformed JSON
      try {
        return JSON.parse(match[1]!)
      } catch {
        console.warn('Failed to parse tool call JSON, treating as text')
        return { type: 'text', content: response }
      }
    }

    expect(handle()).toEqual(parseResponse(response))
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('validation errors', () => {
    const handle = (toolCall: { tool: string; args: object }) => {
      const validation = validateToolCall(toolCall, availableTools)
      if (!validation.isValid) {
        // Send error back to LLM
        return {
          role: 'system',
          content: `TOOL_ERROR: ${validation.error}. Please try again with correct format.`,
        }
      }
      return undefined
    }

    expect(handle({ tool: 'read_file', args: {} })).toEqual({
      role: 'system',
      content:
        'TOOL_ERROR: Missing required parameter: path. Please try again with correct format.',
    })
    expect(handle({ tool: 'read_file', args: { path: 'a' } })).toBeUndefined()
  })
})
