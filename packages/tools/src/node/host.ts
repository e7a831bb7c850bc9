import type { World } from '@toolglot/agent'
import type { Host } from '../host/host.ts'
import type { Storage } from '../host/storage.ts'
import { nodeProcesses, type ProcessOptions } from './processes.ts'

export interface NodeHostOptions extends Omit<ProcessOptions, 'world' | 'storage'> {
  readonly world: World
  readonly storage: Storage
}

/** This machine. The folder that relative paths begin in is the one that the last command ended in. */
export function nodeHost(options: NodeHostOptions): Host {
  const { storage } = options
  const processes = nodeProcesses(options)
  const world: World = Object.defineProperty({ ...options.world }, 'cwd', {
    get: () => processes.cwd,
    enumerable: true,
  })
  return { world, files: {}, processes, search: {}, storage, close: () => processes.close() }
}
