import { ToolError } from '@toolglot/agent'
import { loadFile } from '../file/load.ts'
import { textFileOf } from '../file/text-file.ts'
import { isInside } from '../process/folder.ts'
import { pathIn } from '../search/place.ts'
import type { FoundDiagnostic, LSPResult } from './result.ts'
import { type Asking, diagnostics, MOST_DIAGNOSTICS } from './tell.ts'

/** So many files are looked at, and for so long, in milliseconds. */
const MOST_FILES = 100
const LONGEST = 30_000

/** Few servers know what is wrong with files that nobody opened: so they are shown them one by one. */
export async function workspaceDiagnostics(
  asking: Asking,
): Promise<Extract<LSPResult, { readonly operation: 'workspaceDiagnostics' }>> {
  const { language, host, place, places, signal } = asking
  const until = performance.now() + LONGEST
  const root = host.world.roots.find((each) => isInside(place.path, each)) ?? host.world.cwd
  const endings = language.alike(place.path)
  const { names } = await host.search.names(root, { endings, signal, timeout: LONGEST })
  const all = [...names].sort().map((name) => ({ path: pathIn(root, name) }))
  const { told } = await places.told(all)

  const found: FoundDiagnostic[] = []
  let [total, files] = [0, 0]
  let last
  for (const { path } of told.slice(0, MOST_FILES)) {
    if (performance.now() > until) break
    const text = await textAt(path, asking)
    if (text === undefined) continue
    files++
    last = await diagnostics({ language, places, signal, place: { path, text } })
    total += last.total
    found.push(...last.diagnostics)
  }
  const shown = found.filter(isSerious).slice(0, MOST_DIAGNOSTICS)
  return {
    operation: 'workspaceDiagnostics',
    diagnostics: shown,
    total,
    truncated: shown.length < total,
    files,
    files_total: told.length,
    server: last?.server ?? '',
    ...(last?.loading && { loading: true as const }),
  }
}

function isSerious({ severity }: FoundDiagnostic): boolean {
  return severity === 'error' || severity === 'warning'
}

async function textAt(path: string, { host, signal }: Asking): Promise<string | undefined> {
  try {
    const loaded = await loadFile(host.files, path, { signal })
    return loaded && textFileOf(loaded).text
  } catch (error) {
    // Too large, or no text: no server would look at it either.
    if (error instanceof ToolError) return undefined
    throw error
  }
}
