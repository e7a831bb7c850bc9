import { isIdentifier } from '../python/is-identifier.ts'
import { pythonic, repr } from '../python/print.ts'

/** `a=1, b="x"`. Arguments that are not identifiers are in a dictionary: `**{"-n": True}`. */
export function printKeywords(
  args: Readonly<Record<string, unknown>>,
  strings: 'json' | 'repr',
): string {
  const written = strings === 'repr' ? repr : pythonic
  const entries = Object.entries(args)
  const named = entries.filter(([key]) => isIdentifier(key))
  const others = Object.fromEntries(entries.filter(([key]) => !isIdentifier(key)))
  return [
    ...named.map(([key, value]) => `${key}=${written(value)}`),
    ...(named.length < entries.length ? [`**${written(others)}`] : []),
  ].join(', ')
}
