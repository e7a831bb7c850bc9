// Folder: The sandbox for commands.
import { existsSync } from 'node:fs'
import type { SandboxName } from '../host/processes.ts'
import type { Launch } from '../command/start-command.ts'
import type { Environment } from '../process/environment.ts'
import type { Protection } from './guard.ts'

/** Restricts the access of commands, in addition to permissions. */
export interface Sandbox {
  readonly name: SandboxName
  /** A sentence about its protection. */
  readonly about: string
  /** Returns the command line that runs a shell script inside the sandbox. */
  wrap(script: string, policy: Policy): Promise<Launch>
  close(): Promise<void>
}

/**
 * The access of a command. It comes from the user's settings, never from a model. All paths are
 * absolute and real.
 */
export interface Policy {
  readonly cwd: string
  readonly writable: readonly string[]
  /** Paths that it can read besides the system, toolchains and the workspace. */
  readonly readable: readonly string[]
  /** Files with the output of earlier commands, which it can read. */
  readonly logs: readonly string[]
  /** The paths in writable folders that are protected from it. */
  readonly protection: Protection
  readonly home: string
  /** Another path of the home folder: a link, which variables may contain. */
  readonly homeLink?: string
  /** The folder mounted as its home folder. */
  readonly privateHome: string
  /** The folder mounted as its /tmp. */
  readonly temporary: string
  /** Our own folder with tokens and journals, which is hidden from it. */
  readonly state: string
  readonly network: Network
  readonly env: Readonly<Record<string, string>>
  /**
   * Our own environment, including variables that commands don't get: some contain the paths of
   * toolchains.
   */
  readonly environment: Environment
}

/** No network, the network of the host, or only these hosts. */
export type Network = 'none' | 'host' | readonly string[]

/** The command line of a shell that reads no startup files. */
export function shellArguments(
  script: string,
  args: readonly string[] = [],
): [program: string, ...args: string[]] {
  const program = existsSync('/bin/bash') ? '/bin/bash' : 'bash'
  return [program, '--noprofile', '--norc', '-c', script, program, ...args]
}
