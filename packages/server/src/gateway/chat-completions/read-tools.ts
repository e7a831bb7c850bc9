import { isObject } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import { expectList, expectObject, type Fields, invalid } from '../expect.ts'
import { leaveOut, MAX_TOOLS, namedTool, readCustom, readFunction } from '../offered-tool.ts'
import { OPEN_AI_TOOLS } from '../open-ai-tools.ts'
import type { RequestedTool } from '../request.ts'

/** Reads the tools of a chat completion. Those that are left out are noted. */
export function readTools(value: unknown, notes: string[]): readonly RequestedTool[] {
  return expectList('tools', value, MAX_TOOLS).flatMap((each, at): RequestedTool[] => {
    const tool = expectObject(`tools[${at}]`, each)
    const { type } = tool
    if (type === 'function' || type === 'custom') {
      const where = `tools[${at}].${type}`
      const definition = expectObject(where, tool[type])
      if (type === 'custom') return [readCustom(where, definition)]
      return [readFunction(where, definition, 'parameters')]
    }
    const expected = 'function or custom'
    return [...leaveOut(`tools[${at}]`, type, OPEN_AI_TOOLS, { expected, notes })]
  })
}

/** Reads the tool that must be called. */
export function readNamedTool(
  { type, function: named, custom }: Fields,
  tools: readonly RequestedTool[],
): ToolChoice {
  const choice = type === 'custom' ? custom : named
  if (!isObject(choice) || typeof choice['name'] !== 'string')
    throw invalid('tool_choice', 'auto, none, required or a function by its name', choice)
  return namedTool(tools, choice['name'])
}
