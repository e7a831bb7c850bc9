import type { Source } from '../permission/rule.ts'

/** A pattern of a path rule; or what is wrong with it. */
export function readPathPattern(pattern: string, _source: Source): { pattern: string } | string {
  return pattern === '' ? 'Expected a path.' : { pattern }
}
