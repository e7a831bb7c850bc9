import { isObject } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import { expectList, expectObject, invalid, refused } from '../expect.ts'
import {
  anyTool,
  leaveOut,
  MAX_TOOLS,
  namedTool,
  readCustom,
  readFunction,
} from '../offered-tool.ts'
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

/** Reads which tool must be called. */
export function readToolChoice(value: unknown, tools: readonly RequestedTool[]): ToolChoice {
  if (value === 'auto' || value === 'none') return value
  if (value === 'required') return anyTool(tools, value)
  const { type, function: named, custom } = expectObject('tool_choice', value)
  if (type === 'allowed_tools')
    throw refused('tool_choice', 'allowed_tools', 'send only the tools that may be called')
  const choice = type === 'custom' ? custom : named
  if (!isObject(choice) || typeof choice['name'] !== 'string')
    throw invalid('tool_choice', 'auto, none, required or a function by its name', value)
  return namedTool(tools, choice['name'])
}
