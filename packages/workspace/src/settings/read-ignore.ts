import type { RuleSource } from '@toolglot/permissions'
import { readPathPattern } from '@toolglot/permissions/internal'
import { Notes } from './notes.ts'
import type { RuleText, SettingsFile } from './settings-file.ts'

/** Longer files are a mistake, and each line is compared with each file that is looked at. */
const MAX_LINES = 1000
/** Lines that begin with `!`. */
const MAX_TAKEN_BACK = 50

/** An ignore file as settings: each line denies reading what it means, unless a later line takes that back. */
export function readIgnore(
  text: string,
  { file, root }: { readonly file: string; readonly root: string },
): SettingsFile {
  const notes = new Notes(file)
  const lines = readLines(text, { scope: 'project', file, root }, notes)
  const back = lines.filter(({ takesBack }) => takesBack)
  if (back.length > MAX_TAKEN_BACK)
    notes.problem(back[MAX_TAKEN_BACK]!.source.line!, `more than ${MAX_TAKEN_BACK} lines with "!"`)
  const rules = lines.flatMap((line, index): RuleText[] => {
    if (line.takesBack) return []
    const except = lines
      .slice(index)
      .flatMap(({ takesBack, pattern }) => (takesBack ? pattern : []))
    const { pattern, source } = line
    const own = except.length > 0 && except.length <= MAX_TAKEN_BACK
    return [{ verdict: 'deny', text: `Read(${pattern})`, source, ...(own && { except }) }]
  })
  const { problems, warnings } = notes
  const none = { roots: [], protocols: [], values: [] }
  return { file, scope: 'project', rules, ...none, problems, warnings }
}

interface Line {
  readonly pattern: string
  readonly takesBack: boolean
  readonly source: RuleSource
}

function readLines(text: string, place: RuleSource, notes: Notes): Line[] {
  const written = text.replace(/^\ufeff/, '').split('\n')
  if (written.length > MAX_LINES + 1) notes.problem(MAX_LINES, `more than ${MAX_LINES} lines`)
  return written.slice(0, MAX_LINES).flatMap((each, index): Line[] => {
    const line = withoutEnd(each)
    if (line === '' || line.startsWith('#')) return []
    const takesBack = line.startsWith('!')
    const pattern = patternOf(takesBack ? line.slice(1) : line)
    if (pattern === undefined) return []
    const source = { ...place, line: index + 1 }
    const read = readPathPattern(pattern, source)
    if (typeof read === 'string' || read.up > 0) {
      notes.problem(index + 1, typeof read === 'string' ? read : '".." leads out of the folder')
      return []
    }
    return [{ pattern, takesBack, source }]
  })
}

/** Spaces at the end do not count, unless `\` stands before. */
function withoutEnd(line: string): string {
  let end = line.length
  if (line[end - 1] === '\r') end--
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}

/** The same as the pattern of a rule: with a slash before its end it begins at the folder, else it means any depth. */
function patternOf(line: string): string | undefined {
  const bare = line.endsWith('/') ? line.slice(0, -1) : line
  const names = bare.split('/')
  const isAnchored = names.length > 1
  if (names[0] === '') names.shift()
  if (names.every((name) => name === '')) return undefined
  // Braces mean themselves there.
  const literal = names.map((name) => name.replaceAll(/\\?[{}]/g, (brace) => `\\${brace.at(-1)}`))
  return `/${isAnchored ? '' : '**/'}${literal.join('/')}`
}
