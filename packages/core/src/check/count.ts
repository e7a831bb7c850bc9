/**
 * How many characters are looked at or copied while something is done: for as long as that takes, the methods of strings
 * that readers use count what they give.
 */
export function count(work: () => void): number {
  let looked = 0
  const undo = [
    instead('charCodeAt', () => looked++),
    instead('slice', (part) => (looked += (part as string).length)),
  ]
  try {
    work()
  } finally {
    for (const step of undo) step()
  }
  return looked
}

/** Tells what a method of strings gives, each time. Returns how to undo that. */
function instead(name: 'charCodeAt' | 'slice', tell: (result: unknown) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(String.prototype, name)!
  const method = own.value as (this: string, ...args: unknown[]) => unknown
  Object.defineProperty(String.prototype, name, {
    ...own,
    value(this: string, from: unknown, to: unknown) {
      const result = method.call(this, from, to)
      tell(result)
      return result
    },
  })
  return () => Object.defineProperty(String.prototype, name, own)
}
