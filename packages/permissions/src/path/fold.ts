import type { CharacterClass, Glob, Mark, Name } from './glob.ts'

/** A name as the most lenient file system compares it: without regard to case and Unicode composition. */
export function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/** The pattern for folded names. */
export function foldGlob(glob: Glob): Glob {
  return glob.map(foldName)
}

function foldName(name: Name): Name {
  if (typeof name === 'symbol') return name
  if (typeof name === 'string') return fold(name)
  const { head, marks, tail } = name
  return { head: fold(head), marks: marks.flatMap(foldMark), tail: fold(tail) }
}

function foldMark(mark: Mark): Mark[] {
  if (typeof mark === 'symbol') return [mark]
  return typeof mark === 'string' ? Array.from(fold(mark)) : [foldClass(mark)]
}

/** Folds ASCII letters only: a class is also compared with the name as written. */
function foldClass({ not, ranges }: CharacterClass): CharacterClass {
  const lower = ranges.flatMap(([from, to]): [number, number][] => {
    const low = Math.max(from, 65)
    const high = Math.min(to, 90)
    return low <= high ? [[low + 32, high + 32]] : []
  })
  return { not, ranges: [...ranges, ...lower] }
}
