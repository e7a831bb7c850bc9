import type { LSPOperation, LSPResult } from './result.ts'
import { actions, type Asking, calls, diagnostics, hover, locations, symbols } from './queries.ts'
import { workspaceDiagnostics } from './workspace-diagnostics.ts'

interface Operation {
  /** What beside the file must be said. */
  readonly needs?: 'position' | 'line' | 'query'
  readonly run: (asking: Asking) => Promise<LSPResult>
}

/** How many symbols are shown, of a file and of a project. */
const MAX_SYMBOLS = 500
const MAX_NAMED = 10

/** What LSP can do, by name. */
export const operations: Readonly<Record<LSPOperation, Operation>> = {
  goToDefinition: {
    needs: 'position',
    run: async (asking) => ({
      operation: 'goToDefinition',
      ...(await locations('definition', asking)),
    }),
  },
  findReferences: {
    needs: 'position',
    run: async (asking) => ({
      operation: 'findReferences',
      ...(await locations('references', asking)),
    }),
  },
  hover: {
    needs: 'position',
    run: async (asking) => ({ operation: 'hover', ...(await hover(asking)) }),
  },
  documentSymbol: {
    run: async (asking) => ({
      operation: 'documentSymbol',
      ...(await symbols('symbols', asking, MAX_SYMBOLS)),
    }),
  },
  workspaceSymbol: {
    needs: 'query',
    run: async (asking) => ({
      operation: 'workspaceSymbol',
      ...(await symbols('symbolsNamed', asking, MAX_NAMED, ({ kind }) => !MINOR.has(kind))),
    }),
  },
  goToImplementation: {
    needs: 'position',
    run: async (asking) => ({
      operation: 'goToImplementation',
      ...(await locations('implementation', asking)),
    }),
  },
  prepareCallHierarchy: {
    needs: 'position',
    run: async (asking) => ({
      operation: 'prepareCallHierarchy',
      ...(await symbols('callables', asking, MAX_NAMED)),
    }),
  },
  incomingCalls: {
    needs: 'position',
    run: async (asking) => ({ operation: 'incomingCalls', ...(await calls('callers', asking)) }),
  },
  outgoingCalls: {
    needs: 'position',
    run: async (asking) => ({ operation: 'outgoingCalls', ...(await calls('callees', asking)) }),
  },
  diagnostics: {
    run: async (asking) => ({ operation: 'diagnostics', ...(await diagnostics(asking)) }),
  },
  workspaceDiagnostics: { run: workspaceDiagnostics },
  codeActions: {
    needs: 'line',
    run: async (asking) => ({ operation: 'codeActions', ...(await actions(asking)) }),
  },
}

/** Symbols of these kinds are hardly ever what a name is looked for as. */
const MINOR: ReadonlySet<string> = new Set(
  'file string number boolean array object key null event operator type-parameter'.split(' '),
)
