import { existsSync } from 'node:fs'
import type { SandboxName } from '../host/processes.ts'
import type { Launch } from '../command/start-command.ts'

/** What holds a command back, beside permissions. */
export interface Sandbox {
  readonly name: SandboxName
  /** What commands are kept from. */
  readonly about: string
  /** How to start a shell with this text, so that it is held. */
  wrap(script: string, policy: Policy): Promise<Launch>
  close(): Promise<void>
}

/** What a command may reach. Said by a person's settings, never by a model. */
export interface Policy {
  /** Every path is absolute and real. */
  readonly cwd: string
  readonly writable: readonly string[]
  readonly home: string
  /** A folder that only our commands see, for files that do not last. */
  readonly temporary: string
  /** A folder where it is written down what a sandbox needs in others; commands need not see it. */
  readonly records: string
  readonly network: Network
  readonly env: Readonly<Record<string, string>>
}

/** No network; the hosts that are named; or the one that this machine has. */
export type Network = 'none' | 'host' | readonly string[]

/** A shell that reads no file of settings before it begins. */
export function shellArguments(script: string): [program: string, ...args: string[]] {
  const program = existsSync('/bin/bash') ? '/bin/bash' : 'bash'
  return [program, '--noprofile', '--norc', '-c', script]
}
