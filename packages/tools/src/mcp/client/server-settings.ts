/** A server whose tools are tools here: a program that is started, or an address. */
export type McpServer = (McpProgram | McpAddress) & {
  /** It is named, and not used. */
  readonly disabled?: boolean
  /** How long a call may take, in milliseconds. */
  readonly timeout?: number
}

export interface McpProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Beside what every command is given; `${NAME}` stands for what our environment says. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface McpAddress {
  readonly url: string
  /** Sent with every request; `${NAME}` as above. */
  readonly headers?: Readonly<Record<string, string>>
}
