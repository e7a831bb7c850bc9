import type { ToolContext } from '@toolglot/agent'
import { timeLimit } from '@toolglot/agent/internal'
import type { Host } from '../host/host.ts'
import type { CodeDiagnostic, Language } from '../host/language.ts'
import { VisiblePlaces } from './visible-places.ts'
import { LeakCheck } from './leak-check.ts'
import { type FoundDiagnostic, showDiagnostic } from './result.ts'
import { toFoundDiagnostic } from './queries.ts'

/** A file before and after a change. */
export interface ChangedFile {
  /** The real path. */
  readonly path: string
  /** Undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
}

/** The maximum number of reported errors, and the time limit in milliseconds. */
const MAX_ERRORS = 10
const TIMEOUT = 2000

/**
 * The errors introduced by a change, or none if they cannot be determined in time. Never rejects.
 */
export async function findNewErrors(
  language: Language,
  host: Pick<Host, 'fileSystem' | 'files'> & Partial<Pick<Host, 'search'>>,
  file: ChangedFile,
  { signal: stop, mayShow }: Pick<ToolContext, 'signal' | 'mayShow'>,
): Promise<readonly FoundDiagnostic[]> {
  const limit = timeLimit(TIMEOUT, stop)
  const { signal } = limit
  try {
    const found = await compareErrors(language, file, signal)
    const place = { path: file.path, text: file.after }
    const places = new VisiblePlaces(host, place, { mayShow, signal })
    const countHidden = places.countHidden.bind(places)
    const leakCheck = new LeakCheck({ language, host, countHidden, mayShow, signal })
    const shown: FoundDiagnostic[] = []
    for (const each of found.slice(0, MAX_ERRORS))
      shown.push(await toFoundDiagnostic(each, { place, places, leakCheck }))
    return shown
  } catch {
    // The request timed out, or the server has stopped. The file has been changed anyway.
    return []
  } finally {
    limit.end()
  }
}

async function compareErrors(
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

/** The key excludes the position, because lines move. */
function keyOf({ code = '', message }: CodeDiagnostic): string {
  return `${code} ${message}`
}

/** The text for the model. */
export function showNewErrors(errors: readonly FoundDiagnostic[] = []): string | undefined {
  if (errors.length === 0) return undefined
  return ['New errors:', ...errors.map(showDiagnostic)].join('\n')
}
