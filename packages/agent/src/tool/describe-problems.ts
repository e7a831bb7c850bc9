import type { Schema } from '@toolglot/core'
import { type SchemaProblem, findSchemaProblems } from './schema-problems.ts'
import { describeValue } from './describe-value.ts'

/** What whoever checks arguments says of one that is wrong. */
export interface Issue {
  readonly path: readonly string[]
  readonly message: string
}

/**
 * What is wrong with arguments, a line each: which one, what was expected, what came, what was probably meant. What the
 * schema tells is said in our words, all else in those of whoever checked.
 */
export function describeProblems(
  schema: Schema | undefined,
  args: unknown,
  issues: readonly Issue[],
): readonly string[] {
  const found: readonly SchemaProblem[] = schema ? findSchemaProblems(schema, args) : []
  const covered = new Set(found.flatMap(({ covers }) => covers))
  const others = issues
    .filter(({ path }) => !covered.has(path.join('/')))
    .map(({ path, message }) => ({ path, text: `${message}${came(args, path)}` }))
  const problems = new Set([...found, ...others].map(({ path, text }) => said(path, text)))
  const shown = [...problems].slice(0, MAX)
  const more = problems.size - shown.length
  return more > 0 ? [...shown, `and ${more} more`] : shown
}

const MAX = 10

function came(args: unknown, path: readonly string[]): string {
  if (path.length === 0) return ''
  let value = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      return ' (it is missing)'
    value = (value as Record<string, unknown>)[key]
  }
  return `, got ${describeValue(value)}`
}

function said(path: readonly string[], text: string): string {
  const where = path.map((key) => key.slice(0, 80)).join('/')
  return where === '' ? text : `${where}: ${text}`
}
