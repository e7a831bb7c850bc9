import type { Schema } from '@toolglot/core'
import { type SchemaProblem, findSchemaProblems } from './schema-problems.ts'
import { describeValue } from './describe-value.ts'
import type { ValidationIssue } from './validate.ts'

/**
 * Describes each problem with arguments in a line: the argument, what was expected, what it was, what was probably meant.
 * Problems that the schema explains get our own messages, others the message of the validator.
 */
export function describeProblems(
  schema: Schema | undefined,
  args: unknown,
  issues: readonly ValidationIssue[],
): readonly string[] {
  const found: readonly SchemaProblem[] = schema ? findSchemaProblems(schema, args) : []
  const covered = new Set(found.flatMap(({ covers }) => covers))
  const others = issues
    .filter(({ path }) => !covered.has(path.join('/')))
    .map(({ path, message }) => ({ path, text: `${message}${received(args, path)}` }))
  const problems = new Set([...found, ...others].map(({ path, text }) => problemLine(path, text)))
  const shown = [...problems].slice(0, MAX_PROBLEMS)
  const more = problems.size - shown.length
  return more > 0 ? [...shown, `and ${more} more`] : shown
}

const MAX_PROBLEMS = 10

function received(args: unknown, path: readonly string[]): string {
  if (path.length === 0) return ''
  let value = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      return ' (it is missing)'
    value = (value as Record<string, unknown>)[key]
  }
  return `, got ${describeValue(value)}`
}

function problemLine(path: readonly string[], text: string): string {
  const where = path.map((key) => key.slice(0, 80)).join('/')
  return where === '' ? text : `${where}: ${text}`
}
