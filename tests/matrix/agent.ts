/** The API that an agent uses. */
export type ApiName = 'chat' | 'responses' | 'messages'

/** A call of one of an agent's tools. */
export interface AgentCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A real agent, which uses the gateway. */
export interface Agent {
  /** The agent's name in tests. */
  readonly name: string
  readonly apis: readonly ApiName[]
  /** Returns the command for starting it, in a new folder and with a new home. */
  start(options: StartOptions): Start
  /** Runs before it is started. */
  prepare?(options: StartOptions): Promise<void>
  /**
   * The command after `toolglot connect ID --write` has connected it, without any other
   * configuration.
   */
  readonly connected: {
    readonly id: string
    readonly api: ApiName
    command(options: StartOptions): Start['command']
  }
  /** A call that runs a command. */
  shell(command: string): AgentCall
  /** A call that shows a file. */
  read(path: string): AgentCall
}

export interface StartOptions {
  readonly api: ApiName
  /** The address of the gateway, without a path. */
  readonly gateway: string
  readonly token: string
  readonly model: string
  readonly prompt: string
  readonly home: string
  readonly folder: string
  /** The command of an MCP server that the agent may use. */
  readonly mcp?: readonly string[]
}

/** A command, and the files that it needs. */
export interface Start {
  readonly command: readonly [program: string, ...words: string[]]
  readonly env?: Readonly<Record<string, string>>
  /** The contents of files, by their paths. */
  readonly files?: Readonly<Record<string, string>>
}

/** A file of a package in this folder. */
export function packaged(path: string): string {
  return new URL(`./node_modules/${path}`, import.meta.url).pathname
}

/** The name of this platform in packages. */
export const platform: string = `${process.platform}-${process.arch}`
