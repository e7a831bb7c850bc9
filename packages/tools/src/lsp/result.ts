import type { CodeAction, CodeDiagnostic } from '../host/language.ts'

/** The result of the LSP tool, by operation. */
export type LSPResult =
  | (Locations & {
      readonly operation: 'goToDefinition' | 'findReferences' | 'goToImplementation'
    })
  | (Answered & { readonly operation: 'hover'; readonly contents: string })
  | (Symbols & {
      readonly operation: 'documentSymbol' | 'workspaceSymbol' | 'prepareCallHierarchy'
    })
  | (Listed & {
      readonly operation: 'incomingCalls' | 'outgoingCalls'
      readonly calls: readonly FoundCall[]
    })
  | (Diagnostics & { readonly operation: 'diagnostics' })
  | (Diagnostics & {
      readonly operation: 'workspaceDiagnostics'
      /** How many files were checked, and how many there are. */
      readonly files: number
      readonly files_total: number
    })
  | (Listed & { readonly operation: 'codeActions'; readonly actions: readonly CodeAction[] })

/** An operation of the LSP tool. */
export type LSPOperation = LSPResult['operation']

/** Fields common to all results. */
export interface Answered {
  readonly server: string
  /** The server was still loading the project. */
  readonly loading?: true
  /** How many results are outside the workspace or in files that must not be read. */
  readonly left_out?: number
}

/** Fields common to all lists of results. */
export interface Listed extends Answered {
  /** The number of visible results, including those not shown. */
  readonly total: number
  readonly truncated: boolean
}

interface Locations extends Listed {
  readonly locations: readonly FoundPlace[]
}

interface Symbols extends Listed {
  readonly symbols: readonly FoundSymbol[]
}

interface Diagnostics extends Listed {
  readonly diagnostics: readonly FoundDiagnostic[]
}

/** A location. Lines and characters count from 1; an emoji is one character. */
export interface FoundPlace {
  /** Relative to the working folder if inside it, otherwise absolute. */
  readonly path: string
  readonly line: number
  readonly character: number
  /** The text of the line. */
  readonly text: string
}

/** A symbol and its location. */
export interface FoundSymbol extends FoundPlace {
  readonly name: string
  readonly kind: string
  readonly detail?: string
  readonly container?: string
  readonly depth?: number
}

/** A caller or callee, and where the calls are. */
export interface FoundCall {
  readonly symbol: FoundSymbol
  /** The locations of the calls. */
  readonly places: readonly FoundPlace[]
}

/** A diagnostic and its location. */
export interface FoundDiagnostic
  extends FoundPlace, Pick<CodeDiagnostic, 'severity' | 'message' | 'code' | 'source'> {}
