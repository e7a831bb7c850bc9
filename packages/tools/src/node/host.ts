import type { Ask } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { Host } from '../host/host.ts'
import type { Storage } from '../host/storage.ts'
import { nodeFiles } from './files/files.ts'
import { nodeLanguage, type NodeLanguageOptions } from './language.ts'
import { nodeProcesses, type NodeProcessOptions } from './processes.ts'
import { nodeSearch } from './search/search.ts'
import { nodeWeb, type NodeWebOptions } from './web/web.ts'

/** Options of `nodeHost`. */
export interface NodeHostOptions extends Omit<NodeProcessOptions, 'fileSystem' | 'storage'> {
  readonly fileSystem: FileSystemView
  readonly storage: Storage
  /** Asks the user questions, if there is one. */
  readonly ask?: Ask
  readonly web?: NodeWebOptions
  readonly language?: NodeLanguageOptions
}

/** This machine. Relative paths start in the folder that the last command ended in. */
export function nodeHost(options: NodeHostOptions): Host {
  const { storage, ask, web } = options
  const processes = nodeProcesses(options)
  const seen: FileSystemView = {
    ...options.fileSystem,
    wrote: (path) => processes.wrote?.(path) ?? false,
    temporary: async () => processes.temporary?.() ?? [],
  }
  const fileSystem: FileSystemView = Object.defineProperty(seen, 'cwd', {
    get: () => processes.cwd,
    enumerable: true,
  })
  const search = nodeSearch({ roots: fileSystem.roots })
  const language = nodeLanguage({ ...options, fileSystem, search }, options.language)
  return {
    fileSystem,
    files: nodeFiles(fileSystem),
    processes,
    search,
    language,
    web: nodeWeb(web),
    ...(ask && { ask }),
    storage,
    async close() {
      await Promise.all([processes.close(), language.close()])
    },
  }
}
