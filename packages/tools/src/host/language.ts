/**
 * The answers of language servers about code. Positions are as in the protocol: from 0, in UTF-16
 * code units.
 */
export interface Language {
  /**
   * Sends a query about a file or a position in it. Failures are `ToolError`s that suggest a
   * remedy.
   */
  ask<Topic extends LanguageTopic>(
    topic: Topic,
    place: CodePlace,
    options: { readonly signal: AbortSignal },
  ): Promise<LanguageAnswer<LanguageTopics[Topic]>>
  /** True if the server for a file is already running. */
  isRunning(path: string): boolean
  /**
   * Globs for the names of files handled by the language server for a file. Without a path: for the
   * files of every available server.
   */
  globsFor(path?: string): Promise<readonly string[]>
  /** Stops every server. */
  close(): Promise<void>
}

/** The topics of queries, and the types of their answers. */
export interface LanguageTopics {
  readonly definition: readonly CodeLocation[]
  readonly implementation: readonly CodeLocation[]
  readonly references: readonly CodeLocation[]
  /** Markdown; empty if nothing is known. */
  readonly hover: string
  /** The symbols of the file, each before those nested in it. */
  readonly symbols: readonly CodeSymbol[]
  /** The symbols of the whole project that match the query. */
  readonly symbolsNamed: readonly CodeSymbol[]
  /** The functions that can be called at the position. */
  readonly callables: readonly CodeSymbol[]
  readonly callers: readonly CodeCall[]
  readonly callees: readonly CodeCall[]
  readonly diagnostics: readonly CodeDiagnostic[]
  /** The fixes that the server offers on a line. */
  readonly actions: readonly CodeAction[]
}

/** A topic of queries. */
export type LanguageTopic = keyof LanguageTopics

/** The file, position or query that a question is about. */
export interface CodePlace {
  /** A real path. */
  readonly path: string
  /** The current text of the file. */
  readonly text: string
  /** Required by some topics. */
  readonly position?: CodePosition
  readonly query?: string
}

/** The answer of a language server. */
export interface LanguageAnswer<Value> {
  readonly value: Value
  /** The name of the server that answered. */
  readonly server: string
  /** The server was still loading the project, so the answer may be incomplete. */
  readonly loading?: true
}

/** A position in a file, counted from 0 in UTF-16 code units. */
export interface CodePosition {
  readonly line: number
  readonly character: number
}

/** A range in a file. */
export interface CodeSpan {
  readonly start: CodePosition
  readonly end: CodePosition
}

/** A range in a named file. */
export interface CodeLocation {
  /** Absolute, and possibly outside the workspace. */
  readonly path: string
  readonly span: CodeSpan
}

/** A symbol and its location. */
export interface CodeSymbol extends CodeLocation {
  readonly name: string
  /** The kind, such as `function`. */
  readonly kind: string
  readonly detail?: string
  /** The name of the enclosing symbol. */
  readonly container?: string
  /** Nesting depth within the list. */
  readonly depth?: number
}

/** A caller or a callee, and the locations of the calls. */
export interface CodeCall {
  readonly symbol: CodeSymbol
  /** The file of the caller, and the spans of the calls in it. */
  readonly path: string
  readonly spans: readonly CodeSpan[]
}

/** A problem reported by a server. */
export interface CodeDiagnostic {
  readonly severity: 'error' | 'warning' | 'information' | 'hint'
  readonly message: string
  readonly span: CodeSpan
  readonly code?: string
  readonly source?: string
}

/** An action offered by a server. */
export interface CodeAction {
  readonly title: string
  readonly kind?: string
  /** The server recommends it. */
  readonly preferred: boolean
}
