import { isIdentifier } from '../python/is-identifier.ts'
import { pythonic, repr } from '../python/print.ts'

/** `a=1, b="x"`. One whose name is not an identifier is in a dictionary: `**{"-n": True}`. */
export function printKeywords(
  args: Readonly<Record<string, unknown>>,
  strings: 'json' | 'repr',
): string {
  const written = strings === 'repr' ? repr : pythonic
  return Object.entries(args)
    .map(([key, value]) =>
      isIdentifier(key) ? `${key}=${written(value)}` : `**${written({ [key]: value })}`,
    )
    .join(', ')
}
