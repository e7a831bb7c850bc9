import type { LSPOperation, LSPResult } from './result.ts'
import {
  queryActions,
  type OperationContext,
  queryCalls,
  queryDiagnostics,
  queryHover,
  queryLocations,
  querySymbols,
} from './queries.ts'
import { workspaceDiagnostics } from './workspace-diagnostics.ts'

interface Operation {
  /** What is required in addition to the file. */
  readonly needs?: 'position' | 'line' | 'query'
  readonly run: (context: OperationContext) => Promise<LSPResult>
}

/** How many symbols are shown, for a file and for a project. */
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

/** Kinds of symbols that are hardly ever searched for by name. */
const MINOR: ReadonlySet<string> = new Set(
  'file string number boolean array object key null event operator type-parameter'.split(' '),
)
