/** The API that an agent speaks. */
export type ApiName = 'chat' | 'responses' | 'messages'

/** A call of a tool of an agent. */
export interface AgentCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A real agent, which talks to the gateway. */
export interface Agent {
  /** What tests call it. */
  readonly name: string
  readonly apis: readonly ApiName[]
  /** How it is started, in a folder of its own and with a home of its own. */
  start(options: StartOptions): Start
  /** Done before it is started. */
  prepare?(options: StartOptions): Promise<void>
  /** The command once `toolglot connect ID --write` has connected it: it needs nothing else. */
  readonly connected: {
    readonly id: string
    readonly api: ApiName
    command(options: StartOptions): Start['command']
  }
  /** Runs a command. */
  shell(command: string): AgentCall
  /** Shows a file. */
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
  /** A command that is an MCP server, and that the agent may use. */
  readonly mcp?: readonly string[]
}

/** A command, and what has to be there before it runs. */
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

/** This machine, as packages call it. */
export const platform: string = `${process.platform}-${process.arch}`
