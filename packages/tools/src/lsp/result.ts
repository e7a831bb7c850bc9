import type { CodeAction, CodeDiagnostic } from '../host/language.ts'

/** What LSP answers: what is asked for, by operation. */
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
      /** How many files were looked at, of how many that there are. */
      readonly files: number
      readonly files_total: number
    })
  | (Listed & { readonly operation: 'codeActions'; readonly actions: readonly CodeAction[] })

export type LSPOperation = LSPResult['operation']

export interface Answered {
  readonly server: string
  /** The server had not read all of the project yet. */
  readonly loading?: true
  /** Results that lie outside the workspace, or in files that may not be read. */
  readonly left_out?: number
}

export interface Listed extends Answered {
  /** All that may be told of, shown or not. */
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

/** Lines and characters from 1; an emoji is one character. */
export interface FoundPlace {
  /** From the working folder if it lies there, absolute otherwise. */
  readonly path: string
  readonly line: number
  readonly character: number
  /** The line. */
  readonly text: string
}

export interface FoundSymbol extends FoundPlace {
  readonly name: string
  readonly kind: string
  readonly detail?: string
  readonly container?: string
  readonly depth?: number
}

export interface FoundCall {
  readonly symbol: FoundSymbol
  /** Where it is called. */
  readonly places: readonly FoundPlace[]
}

export interface FoundDiagnostic
  extends FoundPlace, Pick<CodeDiagnostic, 'severity' | 'message' | 'code' | 'source'> {}
