import { existsSync } from 'node:fs'
import type { SandboxName } from '../host/processes.ts'
import type { Launch } from '../command/start-command.ts'
import type { Environment } from '../process/environment.ts'

/** Restricts what a command can do, in addition to permissions. */
export interface Sandbox {
  readonly name: SandboxName
  /** What it prevents, in a sentence. */
  readonly about: string
  /** How to run a shell script inside the sandbox. */
  wrap(script: string, policy: Policy): Promise<Launch>
  close(): Promise<void>
}

/** What a command may access. It comes from the user's settings, never from a model. */
export interface Policy {
  /** All paths are absolute real paths. */
  readonly cwd: string
  readonly writable: readonly string[]
  readonly home: string
  /** The private temporary folder of our commands. */
  readonly temporary: string
  /** The folder with the records of placeholders. Commands need no access to it. */
  readonly records: string
  readonly network: Network
  readonly env: Readonly<Record<string, string>>
  /** Our own environment, with the variables that commands don't get: some say where secrets are. */
  readonly environment?: Environment
}

/** No network, the network of the host, or only the named hosts. */
export type Network = 'none' | 'host' | readonly string[]

/** The command line of a shell that reads no startup files. */
export function shellArguments(script: string): [program: string, ...args: string[]] {
  const program = existsSync('/bin/bash') ? '/bin/bash' : 'bash'
  return [program, '--noprofile', '--norc', '-c', script]
}
