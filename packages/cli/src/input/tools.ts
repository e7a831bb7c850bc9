import type { Schema, ToolDefinition } from '@toolglot/core'
import { isObject } from '@toolglot/agent/internal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { describe } from '../show/text/json.ts'
import { bytesOf } from './file.ts'

/** The tools of a JSON file. */
export async function loadTools(path: string): Promise<ToolDefinition[]> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of bytesOf(path)) {
    length += part.length
    if (length > MAX_BYTES)
      throw new UserError('data', `${quote(path)} is larger than ${MAX_BYTES} bytes`)
    parts.push(part)
  }
  return readTools(parseJson(Buffer.concat(parts).toString(), path), quote(path))
}

const MAX_BYTES = 16 << 20

/**
 * The tools in any common form: OpenAI's, plain objects, or those of MCP and Anthropic
 * (`input_schema`), in a list or under `tools`.
 */
export function readTools(value: unknown, where: string): ToolDefinition[] {
  const list = isObject(value) && 'tools' in value ? value['tools'] : value
  if (!Array.isArray(list)) throw complain(where, 'a list of tools', list)
  return list.map((tool: unknown, index) => readTool(tool, `${where}, tool ${index + 1}`))
}

function readTool(value: unknown, where: string): ToolDefinition {
  const tool = isObject(value) && isObject(value['function']) ? value['function'] : value
  if (!isObject(tool)) throw complain(where, 'an object with a name', tool)

  const { name, description } = tool
  const schema = tool['parameters'] ?? tool['input_schema'] ?? tool['inputSchema']
  // The schemas `true` and `false` do not describe any arguments.
  const parameters = typeof schema === 'boolean' ? undefined : schema
  if (typeof name !== 'string' || name === '') throw complain(where, 'a name', name)
  if (description !== undefined && typeof description !== 'string') {
    throw complain(where, 'a description that is text', description)
  }
  if (parameters !== undefined && !isObject(parameters)) {
    throw complain(where, 'parameters that are a JSON Schema (an object)', parameters)
  }
  return {
    name,
    description,
    parameters: parameters === undefined ? undefined : (parameters as Schema),
  }
}

function complain(where: string, expected: string, got: unknown): UserError {
  return new UserError('data', {
    expected: `${expected} in ${where}`,
    got: describe(got),
    advice: 'a tool is written {"name": "…", "description": "…", "parameters": {…}}',
  })
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    // Not JSON: the engine's message contains the position.
    throw new UserError('data', {
      expected: `JSON in ${quote(path)}`,
      got: text.trim() === '' ? 'an empty file' : `text that is not (${quote(messageOf(error))})`,
      advice: 'write the tools as [{"name": "…", "description": "…", "parameters": {…}}]',
    })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
