import { timeLimit, type World } from '@toolglot/agent'
import type { CodeDiagnostic, Language } from '../host/language.ts'
import { shownPath } from '../search/place.ts'
import { characterAt, linesIn } from './columns.ts'
import type { FoundDiagnostic } from './result.ts'
import { showDiagnostic } from './show-result.ts'

/** A file as it was and as it is. */
export interface ChangedFile {
  /** The real path. */
  readonly path: string
  /** Undefined: there was none. */
  readonly before: string | undefined
  readonly after: string
}

/** So many are told, and so long they are waited for, in milliseconds. */
const MOST = 10
const LONGEST = 2000

/** The errors that a change brought. It never fails. */
export async function newErrors(
  language: Language,
  file: ChangedFile,
  world: World,
  signal: AbortSignal,
): Promise<readonly FoundDiagnostic[]> {
  const limit = timeLimit(LONGEST, signal)
  try {
    const found = await compare(language, file, limit.signal)
    const lines = linesIn(file.after)
    return found.slice(0, MOST).map(({ span: { start }, ...rest }) => {
      const text = lines[start.line] ?? ''
      return {
        path: shownPath(file.path, world),
        line: start.line + 1,
        character: characterAt(text, start.character),
        text: text.trim().slice(0, 300),
        ...rest,
      }
    })
  } catch {
    // Too late, or a server that is gone: the file is changed all the same.
    return []
  } finally {
    limit.end()
  }
}

async function compare(
  language: Language,
  { path, before, after }: ChangedFile,
  signal: AbortSignal,
): Promise<CodeDiagnostic[]> {
  const old = before === undefined ? [] : await errorsIn(language, path, before, signal)
  const left = new Map<string, number>()
  for (const each of old) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1)
  return (await errorsIn(language, path, after, signal)).filter((each) => {
    const count = left.get(keyOf(each)) ?? 0
    left.set(keyOf(each), count - 1)
    return count <= 0
  })
}

async function errorsIn(
  language: Language,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<CodeDiagnostic[]> {
  const { value } = await language.ask('diagnostics', { path, text }, { signal })
  return value.filter(({ severity }) => severity === 'error')
}

/** Lines move when a file is changed. */
function keyOf({ code = '', message }: CodeDiagnostic): string {
  return `${code} ${message}`
}

/** What the model reads of them. */
export function showNewErrors(errors: readonly FoundDiagnostic[] = []): string | undefined {
  if (errors.length === 0) return undefined
  return ['New errors:', ...errors.map(showDiagnostic)].join('\n')
}
