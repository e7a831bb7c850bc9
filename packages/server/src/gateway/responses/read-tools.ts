import type { ToolChoice } from '@toolglot/agent/models'
import { OPEN_AI_TOOLS } from '../open-ai-tools.ts'
import { expectList, expectObject, expectText, type Fields } from '../expect.ts'
import { leaveOut, MAX_TOOLS, namedTool, readCustom, readFunction } from '../offered-tool.ts'
import type { RequestedTool } from '../request.ts'
import { flatName, type NamespacedTool, type Namespaces } from './namespace.ts'

/** Reads the tools of a request. Those in a namespace get its name in front. Those that are left out are noted. */
export function readTools(
  value: unknown,
  notes: string[],
): { readonly tools: readonly RequestedTool[]; readonly namespaces: Namespaces } {
  const namespaces = new Map<string, NamespacedTool>()
  const tools = expectList('tools', value, MAX_TOOLS).flatMap((each, at) => {
    const where = `tools[${at}]`
    const tool = expectObject(where, each)
    if (tool['type'] !== 'namespace') return readTool(where, tool, notes)
    const namespace = expectText(`${where}.name`, tool['name'])
    const inside = expectList(`${where}.tools`, tool['tools'], MAX_TOOLS)
    return inside.flatMap((one, index) => {
      const here = `${where}.tools[${index}]`
      return readTool(here, expectObject(here, one), notes).map((read) => {
        const { name } = read.definition
        const flat = flatName(namespace, name)
        namespaces.set(flat, { namespace, name })
        return { ...read, definition: { ...read.definition, name: flat } }
      })
    })
  })
  expectList('tools', tools, MAX_TOOLS)
  return { tools, namespaces }
}

function readTool(where: string, tool: Fields, notes: string[]): readonly RequestedTool[] {
  const { type } = tool
  if (type === 'function') return [readFunction(where, tool, 'parameters')]
  if (type === 'custom') return [readCustom(where, tool)]
  return leaveOut(where, type, OPEN_AI_TOOLS, { expected: 'function, custom or namespace', notes })
}

/** Reads the tool that must be called. */
export function readNamedTool(
  { name, namespace }: Fields,
  tools: readonly RequestedTool[],
): ToolChoice {
  const isInside = typeof namespace === 'string' && typeof name === 'string'
  return namedTool(tools, isInside ? flatName(namespace, name) : name)
}
