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
  if (!Array.isArray(list)) throw complain(`${where} must be a list of tools`, list)
  return list.map((tool: unknown, index) => readTool(tool, where, `tool ${index + 1}`))
}

function readTool(value: unknown, where: string, which: string): ToolDefinition {
  const tool = isObject(value) && isObject(value['function']) ? value['function'] : value
  if (!isObject(tool)) throw complain(`In ${where}, ${which} must be an object with a name`, tool)

  const { name, description } = tool
  const schema = tool['parameters'] ?? tool['input_schema'] ?? tool['inputSchema']
  // The schemas `true` and `false` do not describe any arguments.
  const parameters = typeof schema === 'boolean' ? undefined : schema
  if (typeof name !== 'string' || name === '')
    throw complain(`In ${where}, the name of ${which} must be a string`, name)
  if (description !== undefined && typeof description !== 'string') {
    throw complain(`In ${where}, the description of ${which} must be a string`, description)
  }
  if (parameters !== undefined && !isObject(parameters)) {
    throw complain(
      `In ${where}, the parameters of ${which} must be a JSON Schema (an object)`,
      parameters,
    )
  }
  return {
    name,
    description,
    parameters: parameters === undefined ? undefined : (parameters as Schema),
  }
}

function complain(rule: string, got: unknown): UserError {
  const but = got === undefined || got === '' ? '' : `, not ${describe(got)}`
  return new UserError('data', `${rule}${but}. Write tools as ${EXAMPLE}`)
}

const EXAMPLE = '[{"name": "…", "description": "…", "parameters": {…}}]'

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    // The text is not JSON: the engine's message contains the position.
    const problem = text.trim() === '' ? 'is empty' : `is not JSON (${quote(messageOf(error))})`
    throw new UserError('data', `${quote(path)} ${problem}. Write tools as ${EXAMPLE}`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
