import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { findProcess } from './list-processes.ts'

/** Tells a process from all others: its number is given again, and another container counts its own. */
export interface ProcessIdentity {
  readonly pid: number
  readonly started: number
  readonly host: string
  /** One start of the machine. */
  readonly boot: string
  /** Those among whom the number is its own. */
  readonly namespace: string
}

/** This process. Throws where the system does not tell when it started. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= readOwnIdentity())
}

let own: ProcessIdentity | undefined

function readOwnIdentity(): ProcessIdentity {
  const started = findProcess(process.pid)?.started
  if (started === undefined) throw new Error('the system does not tell when this process started')
  return { pid: process.pid, started, host: hostname(), ...bootAndNamespace() }
}

function bootAndNamespace(): { boot: string; namespace: string } {
  if (process.platform !== 'linux') return { boot: '', namespace: '' }
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { boot, namespace: readlinkSync('/proc/self/ns/pid') }
}

/** Whether it has ended for certain. One of another container or machine cannot be looked up: it may run. */
export function hasEnded({ pid, started, host, boot, namespace }: ProcessIdentity): boolean {
  const here = ownIdentity()
  if (boot !== here.boot) return host === here.host
  if (namespace !== here.namespace) return false
  const found = findProcess(pid)
  return found === undefined || found.hasEnded || found.started !== started
}
