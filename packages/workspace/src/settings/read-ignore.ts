import type { RuleSource } from '@toolglot/permissions'
import { readPathPattern } from '@toolglot/permissions/internal'
import { Notes } from './read-settings.ts'
import type { SettingsFile, RuleText } from './settings-file.ts'

/** Every line is matched against every file. A longer file is probably a mistake. */
const MAX_LINES = 1000
/** The maximum number of lines that start with `!`. */
const MAX_REINCLUDED = 50

/**
 * Converts an ignore file to settings: each line denies reading the files it matches, unless a
 * later line with `!` includes them again.
 */
export function readIgnore(
  text: string,
  { file, root }: { readonly file: string; readonly root: string },
): SettingsFile {
  const notes = new Notes(file)
  const lines = readLines(text, { scope: 'project', file, root }, notes)
  const back = lines.filter(({ reincludes }) => reincludes)
  if (back.length > MAX_REINCLUDED)
    notes.problem(back[MAX_REINCLUDED]!.source.line!, `more than ${MAX_REINCLUDED} lines with "!"`)
  const rules = lines.flatMap((line, index): RuleText[] => {
    if (line.reincludes) return []
    const except = lines
      .slice(index)
      .flatMap(({ reincludes, pattern }) => (reincludes ? pattern : []))
    const { pattern, source } = line
    const own = except.length > 0 && except.length <= MAX_REINCLUDED
    return [{ verdict: 'deny', text: `Read(${pattern})`, source, except: own ? except : undefined }]
  })
  const { problems, warnings } = notes
  const none = { roots: [], protocols: [], values: [] }
  return { file, scope: 'project', rules, ...none, problems, warnings }
}

interface Line {
  readonly pattern: string
  readonly reincludes: boolean
  readonly source: RuleSource
}

function readLines(text: string, place: RuleSource, notes: Notes): Line[] {
  const written = text.replace(/^\ufeff/, '').split('\n')
  if (written.length > MAX_LINES + 1) notes.problem(MAX_LINES, `more than ${MAX_LINES} lines`)
  return written.slice(0, MAX_LINES).flatMap((each, index): Line[] => {
    const line = withoutEnd(each)
    if (line === '' || line.startsWith('#')) return []
    const reincludes = line.startsWith('!')
    const pattern = patternOf(reincludes ? line.slice(1) : line)
    if (pattern === undefined) return []
    const source = { ...place, line: index + 1 }
    const read = readPathPattern(pattern, source)
    if (typeof read === 'string' || read.up > 0) {
      notes.problem(index + 1, typeof read === 'string' ? read : '".." leads outside of the folder')
      return []
    }
    return [{ pattern, reincludes, source }]
  })
}

/** Removes trailing spaces unless they are escaped with `\`. */
function withoutEnd(line: string): string {
  let end = line.length
  if (line[end - 1] === '\r') end--
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}

/**
 * Converts a line to the pattern of a rule. It is relative to the folder if it contains a slash
 * before its end; otherwise it matches at any depth.
 */
function patternOf(line: string): string | undefined {
  const bare = line.endsWith('/') ? line.slice(0, -1) : line
  const names = bare.split('/')
  const isAnchored = names.length > 1
  if (names[0] === '') names.shift()
  if (names.every((name) => name === '')) return undefined
  // Braces have no special meaning in ignore files.
  const literal = names.map((name) => name.replaceAll(/\\?[{}]/g, (brace) => `\\${brace.at(-1)}`))
  return `/${isAnchored ? '' : '**/'}${literal.join('/')}`
}
