import { levels, type Level } from './level.ts'
import { list } from './program.ts'
import { programNamed } from './programs/index.ts'
import { endsSection, type Wrapped } from './wrapped.ts'

/**
 * The commands of `find -exec` that need no rule of their own kind: a program that only reads, whatever its arguments, on the
 * names that `find` inserts. A name starts with the folder that is searched, so it is no option. The files are
 * judged as those that `find` finds, and the command by its own rule. Undefined if any of the commands is something else.
 */
export function sectionsJudgedApart(
  words: readonly (string | undefined)[],
  { usage, from }: Level,
  runs: Wrapped,
): { readonly words: (string | undefined)[]; readonly commands: Wrapped['commands'] } | undefined {
  const marks = list(usage.wrapper?.sections)
  const starts = words.flatMap((word, at) =>
    at >= from && word && marks.includes(word) ? [at] : [],
  )
  if (starts.length === 0 || starts.length !== runs.commands.length) return undefined
  const taken = new Set<number>()
  for (const [index, start] of starts.entries()) {
    const { at } = runs.commands[index]!
    const end = words.findIndex((_, place) => place > start && endsSection(words, place))
    if (words[start] !== '-exec' || at !== start + 1 || end < 0) return undefined
    const inner = words.slice(at, end)
    if (!inner.every((word) => word !== undefined && (word === '{}' || !word.includes('{'))))
      return undefined
    const program = programNamed(inner[0] ?? '')
    if (!program || inner[0]!.includes('/')) return undefined
    const found = levels(inner, program).at(-1)!.usage
    if (!found.onlyReads || found.wrapper) return undefined
    for (let place = start; place <= end; place++) taken.add(place)
  }
  return {
    words: words.filter((_, at) => !taken.has(at)),
    commands: runs.commands.map((command) => ({ ...command, doubts: [], named: true })),
  }
}
