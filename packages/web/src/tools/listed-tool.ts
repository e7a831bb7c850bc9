import type { ApiAnswer } from '@toolglot/server/client'
import { isObject, type LooseSchema, resolveSchema } from '../schema/resolve-schema.ts'

/** A tool as the server lists it. */
export type ListedTool = ApiAnswer<'GET /api/tools'>['tools'][number]
/** An MCP server as the server lists it. */
export type ListedServer = ApiAnswer<'GET /api/mcp'>['servers'][number]

/** The members of an object of schemas. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}

/** The value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * A value as a schema with references resolved; true and false are schemas too. One that cannot be
 * resolved is returned unchanged.
 */
export function resolved(value: unknown, root: LooseSchema): LooseSchema | boolean {
  if (typeof value === 'boolean') return value
  return isObject(value) ? (resolveSchema(value, root) ?? value) : {}
}
