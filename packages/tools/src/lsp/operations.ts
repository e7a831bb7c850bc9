import { ToolError } from '@toolglot/agent'
import type { LSPOperation, LSPResult, FoundDiagnostic } from './result.ts'
import {
  queryActions,
  type OperationContext,
  queryCalls,
  queryDiagnostics,
  queryHover,
  queryLocations,
  querySymbols,
  MAX_DIAGNOSTICS,
} from './queries.ts'
import { loadFile } from '../file/load.ts'
import { textFileOf } from '../file/text-file.ts'
import { isInside } from '../paths/inside.ts'
import { pathIn, shownPath } from '../search/place.ts'

interface Operation {
  /** The required arguments besides the file. */
  readonly needs?: 'position' | 'line' | 'query'
  readonly run: (context: OperationContext) => Promise<LSPResult>
}

/** The maximum number of symbols shown, for a file and for a project. */
const MAX_SYMBOLS = 500
const MAX_NAMED = 10

/** The operations of the LSP tool. */
export const operations: Readonly<Record<LSPOperation, Operation>> = {
  goToDefinition: {
    needs: 'position',
    run: async (context) => ({
      operation: 'goToDefinition',
      ...(await queryLocations('definition', context)),
    }),
  },
  findReferences: {
    needs: 'position',
    run: async (context) => ({
      operation: 'findReferences',
      ...(await queryLocations('references', context)),
    }),
  },
  hover: {
    needs: 'position',
    run: async (context) => ({ operation: 'hover', ...(await queryHover(context)) }),
  },
  documentSymbol: {
    run: async (context) => ({
      operation: 'documentSymbol',
      ...(await querySymbols('symbols', context, MAX_SYMBOLS)),
    }),
  },
  workspaceSymbol: {
    needs: 'query',
    run: async (context) => ({
      operation: 'workspaceSymbol',
      ...(await querySymbols('symbolsNamed', context, MAX_NAMED, ({ kind }) => !MINOR.has(kind))),
    }),
  },
  goToImplementation: {
    needs: 'position',
    run: async (context) => ({
      operation: 'goToImplementation',
      ...(await queryLocations('implementation', context)),
    }),
  },
  prepareCallHierarchy: {
    needs: 'position',
    run: async (context) => ({
      operation: 'prepareCallHierarchy',
      ...(await querySymbols('callables', context, MAX_NAMED)),
    }),
  },
  incomingCalls: {
    needs: 'position',
    run: async (context) => ({
      operation: 'incomingCalls',
      ...(await queryCalls('callers', context)),
    }),
  },
  outgoingCalls: {
    needs: 'position',
    run: async (context) => ({
      operation: 'outgoingCalls',
      ...(await queryCalls('callees', context)),
    }),
  },
  diagnostics: {
    run: async (context) => ({ operation: 'diagnostics', ...(await queryDiagnostics(context)) }),
  },
  workspaceDiagnostics: { run: workspaceDiagnostics },
  codeActions: {
    needs: 'line',
    run: async (context) => ({ operation: 'codeActions', ...(await queryActions(context)) }),
  },
}

/** Kinds of symbols that are rarely searched for by name. */
const MINOR: ReadonlySet<string> = new Set(
  'file string number boolean array object key null event operator type-parameter'.split(' '),
)

/** The maximum number of files to check, and the time limit in milliseconds. */
const MAX_FILES = 100
const TIMEOUT = 30_000

type Result = Extract<LSPResult, { readonly operation: 'workspaceDiagnostics' }>
type FolderContext = Omit<OperationContext, 'place'>

/** The diagnostics for all workspace files that the same server handles. */
async function workspaceDiagnostics(context: OperationContext): Promise<Result> {
  const { language, host, place } = context
  const root =
    host.fileSystem.roots.find((each) => isInside(place.path, each)) ?? host.fileSystem.cwd
  return await diagnosticsIn(root, await language.globsFor(place.path), context)
}

/** The diagnostics of all files below a folder that any server handles. */
export async function folderDiagnostics(folder: string, context: FolderContext): Promise<Result> {
  return await diagnosticsIn(folder, await context.language.globsFor(), context)
}

/** Opens the files one by one, because few servers report diagnostics for files that are not open. */
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
      // The server for another language may still work.
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
    loading: loading || undefined,
  }
}

function noFilesError(folder: string): ToolError {
  const message = `${folder} contains no readable file that a language server supports.`
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
    // The file is too large or binary, so no server would read it either.
    if (error instanceof ToolError) return undefined
    throw error
  }
}
