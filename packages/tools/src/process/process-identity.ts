import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { findProcess } from './list-processes.ts'

/** Identifies a process uniquely: pids are reused, and every container has its own. */
export interface ProcessIdentity {
  readonly pid: number
  readonly started: number
  readonly host: string
  /** Id of the current boot of the machine. */
  readonly boot: string
  /** The pid namespace. */
  readonly namespace: string
}

/** The identity of this process. Throws if the system does not report when it started. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= readOwnIdentity())
}

let own: ProcessIdentity | undefined

function readOwnIdentity(): ProcessIdentity {
  const started = findProcess(process.pid)?.started
  if (started === undefined) throw new Error('the system does not report when this process started')
  return { pid: process.pid, started, host: hostname(), ...bootAndNamespace() }
}

function bootAndNamespace(): { boot: string; namespace: string } {
  if (process.platform !== 'linux') return { boot: '', namespace: '' }
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { boot, namespace: readlinkSync('/proc/self/ns/pid') }
}

/** Whether a process has certainly ended. One in another container or on another machine may still be running. */
export function hasEnded({ pid, started, host, boot, namespace }: ProcessIdentity): boolean {
  const here = ownIdentity()
  if (boot !== here.boot) return host === here.host
  if (namespace !== here.namespace) return false
  const found = findProcess(pid)
  return found === undefined || found.hasEnded || found.started !== started
}
