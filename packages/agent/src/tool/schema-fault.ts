import type { Schema } from '@toolglot/core'
import { isObject } from './json-schema.ts'
import { compilePattern } from './pattern.ts'
import { SchemaDocument, UnusableSchema } from './schema-document.ts'

/**
 * Why nobody could use a schema, whatever the value is; undefined if it is usable. The reason completes "its schema …". Our own
 * validator applies a schema once to a value, but those that the schema is passed on to may not.
 */
export function schemaFault(root: Schema): string | undefined {
  try {
    const document = new SchemaDocument(root)
    const counts = new Map<unknown, number | undefined>()
    let inPatterns = 0
    for (const schema of document.schemas) {
      countApplied(schema, document, counts)
      const { pattern, patternProperties } = schema
      if (typeof pattern === 'string') inPatterns += compilePattern(pattern).size
      if (isObject(patternProperties))
        for (const each of Object.keys(patternProperties)) inPatterns += compilePattern(each).size
      if (inPatterns > MAX_IN_PATTERNS) return 'has too many patterns'
    }
    return undefined
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    throw error
  }
}

const MAX_APPLIED = 100_000
const MAX_IN_PATTERNS = 20_000

/**
 * Counts the schemas that are applied to a value because this one is, if each is followed wherever it is referred to. The count
 * of a schema is undefined while those that it applies are counted.
 */
function countApplied(
  first: unknown,
  document: SchemaDocument,
  counts: Map<unknown, number | undefined>,
): void {
  // Without recursion: references can form long chains.
  const pending = [first]
  while (pending.length > 0) {
    const schema = pending.at(-1)
    if (!isObject(schema) || counts.get(schema) !== undefined) {
      pending.pop()
      continue
    }
    let sum = 1
    let isKnown = true
    for (const inner of document.appliedBy(schema)) {
      const count = isObject(inner) ? counts.get(inner) : 1
      sum += count ?? 0
      if (count !== undefined) continue
      if (counts.has(inner)) throw new UnusableSchema('refers to itself endlessly. Simplify it')
      if (isKnown) counts.set(schema, undefined)
      isKnown = false
      pending.push(inner)
    }
    if (sum > MAX_APPLIED)
      throw new UnusableSchema(
        `applies more than ${MAX_APPLIED} schemas to one value, because its references multiply. Simplify it`,
      )
    // Otherwise those that it applies are counted first.
    if (isKnown) counts.set(schema, sum)
  }
}
