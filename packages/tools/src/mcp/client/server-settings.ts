/** The settings of an MCP server: a program to start, or a URL. */
export type McpServer = (McpProgram | McpAddress) & {
  /** Do not use it. */
  readonly disabled?: boolean
  /** How long a call may take, in milliseconds. */
  readonly timeout?: number
}

/** A server that is started as a program. */
export interface McpProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Additional environment variables; `${NAME}` is replaced by our own. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server at a URL. */
export interface McpAddress {
  readonly url: string
  /** Sent with every request; `${NAME}` is replaced as above. */
  readonly headers?: Readonly<Record<string, string>>
}
