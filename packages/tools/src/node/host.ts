import type { World } from '@toolglot/agent'
import type { Ask } from '@toolglot/agent'
import type { Host } from '../host/host.ts'
import type { Storage } from '../host/storage.ts'
import { nodeFiles } from './files.ts'
import { nodeProcesses, type ProcessOptions } from './processes.ts'
import { nodeSearch } from './search.ts'
import { nodeWeb, type NodeWebOptions } from './web.ts'

export interface NodeHostOptions extends Omit<ProcessOptions, 'world' | 'storage'> {
  readonly world: World
  readonly storage: Storage
  /** Puts questions to a person, where there is one. */
  readonly ask?: Ask
  readonly web?: NodeWebOptions
}

/** This machine. The folder that relative paths begin in is the one that the last command ended in. */
export function nodeHost(options: NodeHostOptions): Host {
  const { storage, ask, web } = options
  const processes = nodeProcesses(options)
  const world: World = Object.defineProperty({ ...options.world }, 'cwd', {
    get: () => processes.cwd,
    enumerable: true,
  })
  return {
    world,
    files: nodeFiles(world),
    processes,
    search: nodeSearch({ roots: world.roots }),
    web: nodeWeb(web),
    ...(ask && { ask }),
    storage,
    close: () => processes.close(),
  }
}
