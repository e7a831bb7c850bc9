import type { ToolContext } from '@toolglot/agent'
import { timeLimit } from '@toolglot/agent/internal'
import type { Host } from '../host/host.ts'
import type { CodeDiagnostic, Language } from '../host/language.ts'
import { Places } from './visible-places.ts'
import { Quotes } from './leak-check.ts'
import type { FoundDiagnostic } from './result.ts'
import { showDiagnostic } from './show-result.ts'
import { shownDiagnostic } from './queries.ts'

/** A file as it was and as it is. */
export interface ChangedFile {
  /** The real path. */
  readonly path: string
  /** Undefined: there was none. */
  readonly before: string | undefined
  readonly after: string
}

/** So many are told, and so long they are waited for, in milliseconds. */
const MAX = 10
const LONGEST = 2000

/** The errors that a change brought. It never fails. */
export async function newErrors(
  language: Language,
  host: Pick<Host, 'fileSystem' | 'files'> & Partial<Pick<Host, 'search'>>,
  file: ChangedFile,
  { signal: stop, mayShow }: Pick<ToolContext, 'signal' | 'mayShow'>,
): Promise<readonly FoundDiagnostic[]> {
  const limit = timeLimit(LONGEST, stop)
  const { signal } = limit
  try {
    const found = await compare(language, file, signal)
    const place = { path: file.path, text: file.after }
    const places = new Places(host, place, { mayShow, signal })
    const hidden = places.hidden.bind(places)
    const quotes = new Quotes({ language, host, hidden, mayShow, signal })
    const shown: FoundDiagnostic[] = []
    for (const each of found.slice(0, MAX))
      shown.push(await shownDiagnostic(each, { place, places, quotes }))
    return shown
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
