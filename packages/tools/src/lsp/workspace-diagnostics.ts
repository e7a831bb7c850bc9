import { ToolError } from '@toolglot/agent'
import { loadFile } from '../file/load.ts'
import { textFileOf } from '../file/text-file.ts'
import { isInside } from '../paths/inside.ts'
import { pathIn, shownPath } from '../search/place.ts'
import type { FoundDiagnostic, LSPResult } from './result.ts'
import { type Asking, diagnostics, MAX_DIAGNOSTICS } from './queries.ts'

/** So many files are looked at, and for so long, in milliseconds. */
const MAX_FILES = 100
const LONGEST = 30_000

type Result = Extract<LSPResult, { readonly operation: 'workspaceDiagnostics' }>
type Looking = Omit<Asking, 'place'>

/** What is wrong with the files of the workspace that are alike. */
export async function workspaceDiagnostics(asking: Asking): Promise<Result> {
  const { language, host, place } = asking
  const root =
    host.fileSystem.roots.find((each) => isInside(place.path, each)) ?? host.fileSystem.cwd
  return await diagnosticsIn(root, await language.alike(place.path), asking)
}

/** What is wrong with all files below a folder that there are servers for. */
export async function folderDiagnostics(folder: string, looking: Looking): Promise<Result> {
  return await diagnosticsIn(folder, await looking.language.alike(), looking)
}

/** Few servers know what is wrong with files that nobody opened: so they are shown them one by one. */
async function diagnosticsIn(
  root: string,
  endings: readonly string[],
  looking: Looking,
): Promise<Result> {
  const { language, host, places, quotes, signal } = looking
  const until = performance.now() + LONGEST
  const { names } =
    endings.length > 0
      ? await host.search.names(root, { endings, signal, timeout: LONGEST })
      : { names: [] }
  const all = [...names].sort().map((name) => ({ path: pathIn(root, name) }))
  const { told } = await places.told(all)
  if (told.length === 0) throw nothingToAsk(shownPath(root, host.fileSystem))

  const found: FoundDiagnostic[] = []
  const servers = new Set<string>()
  let [total, files, loading] = [0, 0, false]
  let failure: ToolError | undefined
  for (const { path } of told.slice(0, MAX_FILES)) {
    if (performance.now() > until) break
    const text = await textAt(path, looking)
    if (text === undefined) continue
    try {
      const answer = await diagnostics({ language, places, quotes, signal, place: { path, text } })
      files++
      total += answer.total
      found.push(...answer.diagnostics)
      servers.add(answer.server)
      loading = answer.loading === true
    } catch (error) {
      // One server may be broken, and that of another language not.
      if (!(error instanceof ToolError)) throw error
      failure ??= error
    }
  }
  if (failure && files === 0) throw failure
  const shown = found.filter(isSerious).slice(0, MAX_DIAGNOSTICS)
  return {
    operation: 'workspaceDiagnostics',
    diagnostics: shown,
    total,
    truncated: shown.length < total,
    files,
    files_total: told.length,
    server: [...servers].join(', '),
    ...(loading && { loading }),
  }
}

function nothingToAsk(folder: string): ToolError {
  const message = `There is no file in ${folder} that a language server here knows and that may be read.`
  return new ToolError('not_found', message, { code: 'no_files', path: folder })
}

function isSerious({ severity }: FoundDiagnostic): boolean {
  return severity === 'error' || severity === 'warning'
}

async function textAt(path: string, { host, signal }: Looking): Promise<string | undefined> {
  try {
    const loaded = await loadFile(host.files, path, { signal })
    return loaded && textFileOf(loaded).text
  } catch (error) {
    // Too large, or no text: no server would look at it either.
    if (error instanceof ToolError) return undefined
    throw error
  }
}
