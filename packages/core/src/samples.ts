import type { ToolDefinition } from './protocol.ts'

/** A reply as a model might write it, for demos and tests. */
export interface Sample {
  readonly text: string
  readonly tools: readonly ToolDefinition[]
}

const tools: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    description: 'Read a file',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where it is' },
        limit: { type: 'integer' },
      },
      required: ['path'],
    },
  },
  {
    name: 'write_file',
    description: 'Write a file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
  {
    name: 'bash',
    description: 'Run a command',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },
]

const replies: Readonly<Record<string, string>> = {
  'tool-call': `I'll look at the version first.
<TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to get version"
}
</TOOL_CALL>`,
  ptk: `Two files at once.
<ptk_batch>[
  {"tool": "read_file", "args": {"path": "README.md"}},
  {'tool': 'read_file', 'args': {'path': 'it\\'s here.md',}},
]</ptk_batch>`,
  'tool-yaml': `TOOL: write_file
ARGS:
  path: notes.md
  content: |
    # Notes

    - nothing to escape: "quotes", {braces}
`,
  'tool-function': `read_file(path="package.json", limit=20)`,
  'tool-xml': `<tool name="write_file">
  <arg name="path">max.ts</arg>
  <arg name="content">export const max = (a: number, b: number) => (a < b ? b : a)
</arg>
</tool>`,
  vcp: `好的，我来读取。
<<<[TOOL_REQUEST]>>>
tool_name:「始」read_file「末」,
path:「始」日记/今天.md「末」,
limit:「始」20「末」
<<<[END_TOOL_REQUEST]>>>`,
  mistral: `[THINK]Listing will do.[/THINK]Let me see.[TOOL_CALLS]bash[ARGS]{"command": "ls -la"}[TOOL_CALLS]read_file[ARGS]{"path": "README.md"}`,
  'mistral-array': `[TOOL_CALLS] [{"name": "bash", "arguments": {"command": "git status"}, "id": "a1B2c3D4e"}]`,
  llama3: `<function=read_file>{"path": "package.json", "limit": "20"}</function>`,
  'llama3-json': `{"name": "read_file", "parameters": {"path": "package.json"}}`,
  hermes: `<think>
The user wants a greeting. I could write <tool_call> here and it would mean nothing.
</think>

Writing it now.
<tool_call>
{"name": "write_file", "arguments": {"path": "hello.py", "content": "print("hello, world")"}}
</tool_call>
<tool_call>
{"name": "bash", "arguments": {"command": "python hello.py"}`,
}

/**
 * Sample replies by protocol id, for some of the protocols. Some contain slips, as real replies
 * often do.
 */
export const samples: Readonly<Record<string, Sample>> = Object.fromEntries(
  Object.entries(replies).map(([id, text]) => [id, { text, tools }]),
)
