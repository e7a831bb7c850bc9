import type { ToolChoice } from '@toolglot/agent/models'
import { expectList, expectObject, expectOneOf, type Fields } from '../expect.ts'
import { anyTool, leaveOut, MAX_TOOLS, namedTool, readFunction } from '../offered-tool.ts'
import type { RequestedTool } from '../request.ts'

/** Reads the tools of a request. Those that are left out are noted. */
export function readTools(value: unknown, notes: string[]): readonly RequestedTool[] {
  return expectList('tools', value, MAX_TOOLS).flatMap((each, at): RequestedTool[] => {
    const where = `tools[${at}]`
    const tool = expectObject(where, each)
    const { type } = tool
    if (type === undefined || type === null || type === 'custom')
      return [readFunction(where, tool, 'input_schema')]
    return [...leaveOut(where, type, ANTHROPIC_TOOLS, { expected: 'custom', notes })]
  })
}

/** Tools that Anthropic runs itself, or whose schema only its models know. Their types end in a date. */
const ANTHROPIC_TOOLS = {
  dropped: ['web_search', 'web_fetch', 'tool_search', 'tool_search_tool'],
  refused: [
    'bash',
    'text_editor',
    'computer',
    'code_execution',
    'memory',
    'mcp_toolset',
    'advisor',
  ],
}

/** Reads which tool must be called. */
export function readToolChoice(choice: Fields, tools: readonly RequestedTool[]): ToolChoice {
  const type = expectOneOf('tool_choice.type', choice['type'], ['auto', 'none', 'any', 'tool'])
  if (type === 'auto' || type === 'none') return type
  return type === 'any' ? anyTool(tools, type) : namedTool(tools, choice['name'])
}
