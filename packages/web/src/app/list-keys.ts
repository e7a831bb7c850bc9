import type { Key } from '../words/words.ts'
import type { Command } from './commands.ts'

/** Commands for the keys J and K, which step through a list. */
export function listKeys(
  id: string,
  { next, previous }: { readonly next: Key; readonly previous: Key },
  move: (by: 1 | -1) => void,
): readonly Command[] {
  const key = (name: string, label: Key, keys: string, by: 1 | -1): Command => ({
    id: `${id}.${name}`,
    label,
    group: 'here',
    keys,
    repeats: true,
    run: () => move(by),
  })
  return [key('next', next, 'j', 1), key('previous', previous, 'k', -1)]
}
