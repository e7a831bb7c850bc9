import { ToolError } from '@toolglot/agent'
import { loadFile } from '../file/load.ts'
import { textFileOf } from '../file/text-file.ts'
import { isInside } from '../paths/inside.ts'
import { pathIn, shownPath } from '../search/place.ts'
import type { FoundDiagnostic, LSPResult } from './result.ts'
import { type OperationContext, queryDiagnostics, MAX_DIAGNOSTICS } from './queries.ts'

/** So many files are looked at, and for so long, in milliseconds. */
const MAX_FILES = 100
const TIMEOUT = 30_000

type Result = Extract<LSPResult, { readonly operation: 'workspaceDiagnostics' }>
type FolderContext = Omit<OperationContext, 'place'>

/** What is wrong with the files of the workspace that are alike. */
export async function workspaceDiagnostics(context: OperationContext): Promise<Result> {
  const { language, host, place } = context
  const root =
    host.fileSystem.roots.find((each) => isInside(place.path, each)) ?? host.fileSystem.cwd
  return await diagnosticsIn(root, await language.globsFor(place.path), context)
}

/** What is wrong with all files below a folder that there are servers for. */
export async function folderDiagnostics(folder: string, context: FolderContext): Promise<Result> {
  return await diagnosticsIn(folder, await context.language.globsFor(), context)
}

/** Few servers know what is wrong with files that nobody opened: so they are shown them one by one. */
async function diagnosticsIn(
  root: string,
  endings: readonly string[],
  context: FolderContext,
): Promise<Result> {
  const { language, host, places, leakCheck, signal } = context
  const until = performance.now() + TIMEOUT
  const { names } =
    endings.length > 0
      ? await host.search.names(root, { endings, signal, timeout: TIMEOUT })
      : { names: [] }
  const all = [...names].sort().map((name) => ({ path: pathIn(root, name) }))
  const { visible } = await places.filterVisible(all)
  if (visible.length === 0) throw noFilesError(shownPath(root, host.fileSystem))

  const found: FoundDiagnostic[] = []
  const servers = new Set<string>()
  let [total, files, loading] = [0, 0, false]
  let failure: ToolError | undefined
  for (const { path } of visible.slice(0, MAX_FILES)) {
    if (performance.now() > until) break
    const text = await textAt(path, context)
    if (text === undefined) continue
    try {
      const answer = await queryDiagnostics({
        language,
        places,
        leakCheck,
        signal,
        place: { path, text },
      })
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
    files_total: visible.length,
    server: [...servers].join(', '),
    ...(loading && { loading }),
  }
}

function noFilesError(folder: string): ToolError {
  const message = `There is no file in ${folder} that a language server here knows and that may be read.`
  return new ToolError('not_found', message, { code: 'no_files', path: folder })
}

function isSerious({ severity }: FoundDiagnostic): boolean {
  return severity === 'error' || severity === 'warning'
}

async function textAt(path: string, { host, signal }: FolderContext): Promise<string | undefined> {
  try {
    const loaded = await loadFile(host.files, path, { signal })
    return loaded && textFileOf(loaded).text
  } catch (error) {
    // Too large, or no text: no server would look at it either.
    if (error instanceof ToolError) return undefined
    throw error
  }
}
