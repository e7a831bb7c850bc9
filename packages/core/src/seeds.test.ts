// Every example from the five documents that this project started from, verbatim (S0 … S4 in their
// order).
import { describe, expect, test } from 'vitest'
import { DOCUMENTED_PROMPT } from '../test/documented-prompt.ts'
import {
  autoParseToolCalls,
  parse,
  printPrompt,
  printResult,
  protocols,
  stripToolCalls,
  type ToolDefinition,
} from './index.ts'

const ptk = protocols.ptk
const mistral = protocols.mistral
const llama3 = protocols.llama3
const hermes = protocols.hermes
const vcp = protocols.vcp
const toolCall = protocols['tool-call']

/** A tool with parameters of these types; a question mark means optional. */
function tool(
  name: string,
  description: string,
  types: Readonly<Record<string, string>> = {},
): ToolDefinition {
  const keys = Object.keys(types)
  const properties = Object.entries(types).map(([key, type]) => [key.replace('?', ''), { type }])
  const required = keys.filter((key) => !key.endsWith('?'))
  return {
    name,
    description,
    parameters: { type: 'object', properties: Object.fromEntries(properties) as object, required },
  }
}

const tools = [
  tool('read_file', 'Read content of a file', { path: 'string' }),
  tool('write_file', 'Write content to a file', { path: 'string', content: 'string' }),
  tool('list_files', 'List files in directory', { directory: 'string', 'pattern?': 'string' }),
  tool('search_code', 'Search code in codebase', { query: 'string', 'options?': 'object' }),
  tool('get_diagnostics', 'Get errors and warnings', { 'file?': 'string' }),
]

describe('S0: the tool calling protocol', () => {
  test.each([
    [
      `<TOOL_CALL>
{
  "tool": "tool_name",
  "args": {
    "param1": "value1",
    "param2": "value2"
  },
  "reasoning": "Optional explanation why this tool is needed"
}
</TOOL_CALL>`,
      'tool_name',
      { param1: 'value1', param2: 'value2' },
      'Optional explanation why this tool is needed',
    ],
    [
      `<TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to get version"
}
</TOOL_CALL>`,
      'read_file',
      { path: 'package.json' },
      'Need to read package.json to get version',
    ],
    [
      `<TOOL_CALL>
{
  "tool": "list_files",
  "args": {"directory": ".", "pattern": "**/*.ts"},
  "reasoning": "Need to list all TypeScript files first"
}
</TOOL_CALL>`,
      'list_files',
      { directory: '.', pattern: '**/*.ts' },
      'Need to list all TypeScript files first',
    ],
    [
      `<TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "missing-file.txt"},
  "reasoning": "Need to read the file content"
}
</TOOL_CALL>`,
      'read_file',
      { path: 'missing-file.txt' },
      'Need to read the file content',
    ],
    [
      '<TOOL_CALL>\n{"tool": "read_file", "args": {"path": "test.ts"}}\n</TOOL_CALL>',
      'read_file',
      { path: 'test.ts' },
      undefined,
    ],
    [
      '<TOOL_CALL>{"tool":"read_file","args":{"path":"test.ts"}}</TOOL_CALL>',
      'read_file',
      { path: 'test.ts' },
      undefined,
    ],
  ])('call: %s', (text, name, args, reasoning) => {
    for (const options of [{ protocols: toolCall }, {}, { tools }]) {
      const reply = parse(text, options)
      expect(reply.calls).toMatchObject([{ name, args, complete: true, repairs: [] }])
      expect(reply.calls[0]?.reasoning).toBe(reasoning)
      expect(reply.text).toBe('')
    }
  })

  test.each([
    'Based on the file content, the version is 1.0.0',
    'The version in package.json is 1.0.0',
    'I found 3 TypeScript files:\n1. src/index.ts\n2. src/utils.ts\n3. test/test.ts',
    'I cannot read missing-file.txt because the file does not exist. Would you like me to create it?',
    'The package.json contains version 1.0.0',
  ])('final answer: %s', (text) => {
    expect(parse(text, { protocols: toolCall })).toMatchObject({ text, calls: [] })
  })

  describe('the four invalid samples', () => {
    test('without a closing tag and with only a name, a call is never complete, for any ending of the reply', () => {
      const text = '<TOOL_CALL>\n{"tool": "read_file"}\n'
      for (const finish of ['stop', 'stop-string', 'length', 'broken'] as const) {
        expect(parse(text, { protocols: toolCall, finish }).calls).toMatchObject([
          { name: 'read_file', complete: false },
        ])
      }
    })

    test('keys without quotes: repaired, or text', () => {
      const text = '<TOOL_CALL>\n{tool: "read_file", args: {path: "test.ts"}}\n</TOOL_CALL>'
      expect(parse(text, { protocols: toolCall }).calls).toMatchObject([
        { name: 'read_file', args: { path: 'test.ts' }, repairs: ['unquoted-key'] },
      ])
      expect(parse(text, { protocols: toolCall, repairs: false })).toMatchObject({
        text,
        calls: [],
      })
    })

    test.each([
      [
        'an unknown tool',
        '<TOOL_CALL>\n{"tool": "unknown_tool", "args": {}}\n</TOOL_CALL>',
        'unknown_tool',
      ],
      [
        'missing arguments',
        '<TOOL_CALL>\n{"tool": "read_file", "args": {}}\n</TOOL_CALL>',
        'read_file',
      ],
    ])('%s is read, and left to the run to answer', (_, text, name) => {
      expect(parse(text, { protocols: toolCall, tools }).calls).toMatchObject([
        { name, args: {}, complete: true, repairs: [] },
      ])
    })
  })

  test('malformed JSON is text', () => {
    const text = '<TOOL_CALL>{invalid json}</TOOL_CALL>'
    const reply = parse(text, { protocols: toolCall })
    expect(reply).toMatchObject({ text, calls: [] })
    expect(reply.segments).toMatchObject([{ type: 'malformed', problem: 'syntax', raw: text }])
  })

  test('whitespace inside tags, and names as written', () => {
    const text = '<TOOL_CALL>   \n\n {"tool":"Read_File","args":{}}  \n </TOOL_CALL>'
    expect(parse(text, { protocols: toolCall, tools }).calls).toMatchObject([{ name: 'Read_File' }])
  })

  test.each([
    [
      { content: '{\n  "name": "my-app",\n  "version": "1.0.0"\n}', lines: 4 },
      false,
      'TOOL_RESULT: {"success": true, "data": {"content": "{\\n  \\"name\\": \\"my-app\\",\\n  \\"version\\": \\"1.0.0\\"\\n}", "lines": 4}, "error": null}',
    ],
    [
      { files: ['src/index.ts', 'src/utils.ts', 'test/test.ts'], count: 3 },
      false,
      'TOOL_RESULT: {"success": true, "data": {"files": ["src/index.ts", "src/utils.ts", "test/test.ts"], "count": 3}, "error": null}',
    ],
    [
      'File not found: missing-file.txt',
      true,
      'TOOL_RESULT: {"success": false, "data": null, "error": "File not found: missing-file.txt"}',
    ],
  ])('result: %j', (output, failed, text) => {
    expect(printResult(toolCall, { call: { name: 'read_file' }, output, failed })).toBe(text)
  })

  test.each(['Unknown tool: unknown_tool', 'Missing required parameter: path'])(
    'error: %s',
    (output) => {
      expect(printResult(toolCall, { call: { name: 'read_file' }, output, invalid: true })).toBe(
        `TOOL_ERROR: ${output}. Please try again with correct format.`,
      )
    },
  )

  test('the exact system prompt', () => {
    expect(printPrompt(toolCall, tools)).toBe(DOCUMENTED_PROMPT)
  })

  test('the prompt has up to three examples, all of them valid calls of tools that are offered', () => {
    const properties = {
      unit: { enum: ['C', 'F'] },
      days: { type: ['integer', 'null'] },
      precise: { type: 'boolean' },
      tags: { type: 'array' },
      place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      kind: { const: 'short' },
      until: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      note: { type: 'string' },
    }
    const { note: _, ...needed } = properties
    const required = Object.keys(needed)
    const weather = { name: 'weather', parameters: { type: 'object', properties, required } }
    const readFile = {
      name: 'read_file',
      parameters: { properties: { file: {} }, required: ['file'] },
    }
    const offered = [weather, readFile, { name: 'now' }, { name: 'later' }]
    const [, shown = ''] = printPrompt(toolCall, offered).split('EXAMPLES:')
    const replies = shown.split('User: ').slice(1)
    const found = replies.flatMap(
      (reply) => parse(reply, { protocols: toolCall, tools: offered }).calls,
    )
    expect(found.map(({ name, args, repairs }) => [name, args, repairs])).toEqual([
      [
        'weather',
        {
          ...{ unit: 'C', days: 1, precise: true, tags: [], place: { city: 'value1' } },
          ...{ kind: 'short', until: 1 },
        },
        [],
      ],
      ['read_file', { file: 'value1' }, []],
      ['now', {}, []],
    ])
  })

  test.each([
    ['tool-yaml', 'TOOL: read_file\nARGS:\n  path: package.json'],
    ['tool-function', 'read_file(path="package.json")'],
    ['tool-xml', '<tool name="read_file">\n  <arg name="path">package.json</arg>\n</tool>'],
  ])('the alternative %s', (id, text) => {
    for (const options of [{ protocols: protocols[id]! }, { tools }]) {
      expect(parse(text, options).calls).toMatchObject([
        {
          name: 'read_file',
          args: { path: 'package.json' },
          complete: true,
          repairs: [],
          protocol: id,
        },
      ])
    }
  })
})

describe('S1: PTK', () => {
  test('prose, then a call', () => {
    const text = `I'll read the package.json file.
<PTK_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to get version"
}
</PTK_CALL>`
    const reply = parse(text, { protocols: ptk })
    expect(reply.text).toBe("I'll read the package.json file.\n")
    expect(reply.calls).toMatchObject([
      {
        name: 'read_file',
        args: { path: 'package.json' },
        reasoning: 'Need to read package.json to get version',
        complete: true,
        repairs: [],
      },
    ])
  })

  test.each(['<PTK_CALL>', '<ptk_call>', '<Ptk_Call>', '<TOOL_CALL>', '<tool_call>'])(
    '%s',
    (open) => {
      const text = `${open}{"tool":"read_file","args":{"path":"test.ts"}}${open.replace('<', '</')}`
      expect(parse(text, { protocols: ptk }).calls).toMatchObject([
        { name: 'read_file', args: { path: 'test.ts' }, complete: true, repairs: [] },
      ])
    },
  )

  test('a batch', () => {
    const text =
      '<PTK_BATCH>[{"tool": "read_file", "args": {"path": "a"}}, {"tool": "ping", "args": {}}]</PTK_BATCH>'
    expect(parse(text, { protocols: ptk }).calls).toMatchObject([
      { name: 'read_file', args: { path: 'a' }, complete: true },
      { name: 'ping', args: {}, complete: true },
    ])
  })

  test.each(['The version is 1.2.3', 'The file contains 5 functions'])('an answer: %s', (text) => {
    expect(parse(text, { protocols: ptk })).toMatchObject({ text, calls: [] })
  })

  test('a result, an error', () => {
    const call = { name: 'read_file' }
    expect(printResult(ptk, { call, output: { content: '...', size: 45 } })).toBe(
      'PTK_RESULT: {"content": "...", "size": 45}',
    )
    expect(printResult(ptk, { call, output: 'Tool not found: x', invalid: true })).toBe(
      'PTK_ERROR: Tool not found: x',
    )
  })

  test('the list of tools', () => {
    const properties = { path: { type: 'string', description: 'File path' } }
    const prompt = printPrompt(ptk, [
      {
        name: 'read_file',
        description: 'Read content of a file',
        parameters: { type: 'object', properties, required: ['path'] },
      },
    ])
    expect(prompt).toContain(`• read_file: Read content of a file
  Parameters:
    - path: string (required) - File path`)
    expect(prompt).toContain('<PTK_CALL>')
  })
})

describe('S3: three families', () => {
  const bash: ToolDefinition = {
    name: 'bash',
    description: 'Execute bash/shell commands on the system...',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string', description: 'The shell command to execute' } },
      required: ['command'],
    },
  }

  test.each([
    ['mistral', '[TOOL_CALLS]func_name[ARGS]{"arg": "value"}', 'func_name', { arg: 'value' }],
    ['mistral', '[TOOL_CALLS]bash[ARGS]{"command": "ls -la"}', 'bash', { command: 'ls -la' }],
    ['llama3', '<function=name>{"arg": "value"}</function>', 'name', { arg: 'value' }],
    [
      'hermes',
      '<tool_call>{"name": "func", "arguments": {"a": [1]}}</tool_call>',
      'func',
      { a: [1] },
    ],
  ])('%s: %s', (id, text, name, args) => {
    const expected = [{ name, args, complete: true, repairs: [] }]
    expect(parse(text, { protocols: protocols[id]! }).calls).toMatchObject(expected)
    expect(autoParseToolCalls(text)).toMatchObject(expected)
    expect(autoParseToolCalls(`Let me see.\n${text}`)).toMatchObject(expected)
    expect(stripToolCalls(`Let me see.\n${text}\n`)).toBe('Let me see.')
    expect(stripToolCalls(text)).toBe('')
  })

  test('text without calls', () => {
    expect(autoParseToolCalls('What files are in the current directory?')).toEqual([])
    expect(stripToolCalls('a < b, [1] and `x`')).toBe('a < b, [1] and `x`')
  })

  test('the tools are given as JSON', () => {
    const [, json, after] = /^\[AVAILABLE_TOOLS\](.*)\[\/AVAILABLE_TOOLS\](.*)$/.exec(
      printPrompt(mistral, [bash]),
    )!
    expect(JSON.parse(json!)).toEqual([{ type: 'function', function: bash }])
    expect(after).toBe('')
    for (const protocol of [llama3, hermes])
      expect(printPrompt(protocol, [bash])).toContain('"bash"')
  })

  test('results', () => {
    expect(printResult(mistral, { call: { name: 'bash' }, output: 'README.md\nsrc' })).toBe(
      '[TOOL_RESULTS]README.md\nsrc[/TOOL_RESULTS]',
    )
  })
})

describe('S4: VCP', () => {
  const read = (fields: string, known?: readonly ToolDefinition[]) =>
    parse(`<<<[TOOL_REQUEST]>>>\n${fields}\n<<<[END_TOOL_REQUEST]>>>`, {
      protocols: vcp,
      ...(known && { tools: known }),
    }).calls

  test('the request in the document', () => {
    const fields = `tool_name:「始」directory-tree_listFiles「末」
path:「始」src/tools「末」
recursive:「始」false「末」`
    const name = 'directory-tree_listFiles'
    expect(read(fields)).toMatchObject([
      { name, args: { path: 'src/tools', recursive: 'false' }, complete: true, repairs: [] },
    ])
    const known = [tool(name, 'List files', { path: 'string', recursive: 'boolean' })]
    expect(read(fields, known)).toMatchObject([
      { name, args: { path: 'src/tools', recursive: false } },
    ])
  })

  test('a value may span several lines and contain any text except its end', () => {
    const value = '{"a": "<b>"}\n  第二行: 「引」\n<tool_call>'
    expect(read(`tool_name:「始」ping「末」\nkey:「始」${value}「末」`)).toMatchObject([
      { args: { key: value } },
    ])
  })

  test('an id is kept or generated', () => {
    expect(read('tool_name:「始」ping「末」\nrequest_id:「始」req-7「末」')).toMatchObject([
      { id: 'req-7', args: {} },
    ])
    for (const fields of ['', '\nrequest_id:「始」「末」', '\nrequest_id:「始」 「末」']) {
      expect(read(`tool_name:「始」ping「末」${fields}`)[0]?.id).toMatch(/^\w{9}$/)
    }
  })

  test('an unclosed value', () => {
    expect(read('tool_name:「始」ping「末」\nnote:「始」abc')).toMatchObject([
      { args: { note: 'abc\n' }, complete: true, repairs: ['missing-closer'] },
    ])
  })

  test('a batch requires an explicit command with a number', () => {
    const batch =
      'tool_name:「始」files「末」,command1:「始」read「末」,path1:「始」a「末」,command2:「始」hash「末」,path2:「始」b「末」'
    expect(read(batch)).toMatchObject([
      { name: 'files', args: { command: 'read', path: 'a' }, complete: true },
      { name: 'files', args: { command: 'hash', path: 'b' }, complete: true },
    ])
    expect(
      read('tool_name:「始」files「末」,path1:「始」a「末」,path2:「始」b「末」'),
    ).toMatchObject([{ name: 'files', args: { path1: 'a', path2: 'b' } }])
  })

  test('a tool and its command, if together they name a known tool', () => {
    const fields = 'tool_name:「始」files「末」\ncommand:「始」read「末」\npath:「始」a「末」'
    const turned = 'path:「始」a「末」\ncommand:「始」read「末」\ntool_name:「始」files「末」'
    for (const order of [fields, turned]) {
      expect(read(order, [tool('files_read', '', { path: 'string' })])).toMatchObject([
        { name: 'files_read', args: { path: 'a' } },
      ])
    }
    for (const known of [undefined, [tool('files', '')], [tool('other', '')]]) {
      expect(read(fields, known)).toMatchObject([
        { name: 'files', args: { command: 'read', path: 'a' } },
      ])
    }
  })

  test('numbers of a batch are read in full', () => {
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1)
    const fields = numbers.map((n) => `command${n}:「始」read「末」,path${n}:「始」${n}「末」`)
    const calls = read(`tool_name:「始」files「末」,${fields.join(',')}`)
    expect(calls.map(({ args }) => args)).toEqual(
      numbers.map((n) => ({ command: 'read', path: String(n) })),
    )
  })

  test('names with underscores are never split', () => {
    const known = [tool('read_file', ''), tool('read', '')]
    expect(read('tool_name:「始」read_file「末」', known)).toMatchObject([
      { name: 'read_file', args: {} },
    ])
  })

  test('requests among other text', () => {
    const request = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」ping「末」\n<<<[END_TOOL_REQUEST]>>>'
    const reply = parse(`好的。\n${request}\n然后\n${request}\n完。`, { protocols: vcp })
    expect(reply.calls).toHaveLength(2)
    expect(reply.text).toBe('好的。\n\n然后\n\n完。')
  })

  test('a definition shows what the model must write', () => {
    const properties = {
      path: { type: 'string', description: '路径' },
      depth: { type: 'integer', default: 2 },
    }
    const prompt = printPrompt(vcp, [
      {
        name: 'directory-tree_listFiles',
        description: '列出文件',
        parameters: { type: 'object', properties, required: ['path'] },
      },
    ])
    const block = /<<<\[TOOL_DEFINITION\]>>>\n([^]*?)\n<<<\[END_TOOL_DEFINITION\]>>>/.exec(
      prompt,
    )![1]!
    expect(block).toContain('tool_name:「始」directory-tree_listFiles「末」')
    expect(block).toContain('description:「始」列出文件「末」')
    expect(JSON.parse(/parameters:「始」(.*?)「末」/.exec(block)![1]!)).toEqual([
      { name: 'path', type: 'string', required: true, description: '路径' },
      { name: 'depth', type: 'integer', required: false, default: 2 },
    ])
    expect(block).toContain(
      'example:「始」tool_name:「始」directory-tree_listFiles「末」, path:「始」',
    )
    expect(prompt).toContain('<<<[TOOL_REQUEST]>>>')
  })

  test('a result', () => {
    const text = printResult(vcp, { call: { name: 'ping', id: 'req-7' }, output: '一\n二' })
    expect(text).toMatch(
      /^<<<\[TOOL_RESULT\]>>>\n[^]*「始」一\n二「末」\n<<<\[END_TOOL_RESULT\]>>>$/,
    )
    expect(text).toContain('tool_name:「始」ping「末」')
  })
})
