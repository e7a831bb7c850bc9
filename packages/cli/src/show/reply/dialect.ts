import { type Call, protocols } from '@toolglot/core'

/** How a call was written that is not in the selected protocol, in words. */
export function describeDialect({ raw, fenced, protocol }: Call): string {
  const text = raw.trimStart()
  if (fenced || text.startsWith('```') || text.startsWith('~~~')) return 'in a code fence'
  if (/^(?:\{|\[\s*\{)/.test(text.slice(0, 100))) return 'as bare JSON'
  if (/^\**(?:Action|Tool)\b/.test(text)) return 'with labels such as Action:'
  return Object.hasOwn(protocols, protocol) ? `in the ${protocol} format` : 'in another format'
}
