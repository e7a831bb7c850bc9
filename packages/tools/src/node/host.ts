import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Ask } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import type { Files } from '../host/files.ts'
import type { Host, Storage } from '../host/host.ts'
import { nodeFiles } from './files/files.ts'
import { nodeLanguage, type NodeLanguageOptions } from './language.ts'
import { nodeProcesses, type NodeProcessOptions } from './processes.ts'
import { temporaryStorage } from './storage.ts'
import { nodeSearch } from './search/search.ts'
import { asideFolder } from '../sandbox/aside.ts'
import { allowProtected } from '../sandbox/guard.ts'
import { nodeWeb, type NodeWebOptions } from './web/web.ts'

/** Options of `nodeHost`. */
export interface NodeHostOptions extends Omit<NodeProcessOptions, 'fileSystem' | 'storage'> {
  /** The folder that commands start in, and the only one of the workspace. Default: that of this process. */
  readonly cwd?: string | undefined
  /** Instead of `cwd`, if the workspace has several folders: see `nodeFileSystem` of `@toolglot/permissions/node`. */
  readonly fileSystem?: FileSystemView | undefined
  /** Where logs, todos and checkpoints are stored. Default: a new folder, which `close` removes. */
  readonly storage?: Storage | undefined
  /** Asks the user questions, if there is one. */
  readonly ask?: Ask | undefined
  readonly web?: NodeWebOptions | undefined
  readonly language?: NodeLanguageOptions | undefined
}

/** This machine. Relative paths start in the folder that the last command ended in. */
export function nodeHost(options: NodeHostOptions = {}): Host {
  const { cwd = process.cwd(), ask, web } = options
  const { fileSystem: given = nodeFileSystem({ cwd: resolve(cwd) }) } = options
  const { storage = temporaryStorage() } = options
  const processes = nodeProcesses({ ...options, fileSystem: given, storage })
  const seen: FileSystemView = {
    ...given,
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
    files: withApprovedFiles(nodeFiles(fileSystem), fileSystem),
    processes,
    search,
    language,
    web: nodeWeb(web),
    ask,
    storage,
    async close() {
      await Promise.all([processes.close(), language.close()])
      // Files that were moved aside are the user's.
      if (!options.storage && !existsSync(asideFolder(storage.folder)))
        await rm(storage.folder, { recursive: true, force: true })
    },
  }
}

/** Files that tools write were approved, so a guard doesn't move them aside. */
function withApprovedFiles(files: Files, fileSystem: FileSystemView): Files {
  return {
    ...files,
    replace(path, bytes, options) {
      allowProtected(resolve(fileSystem.cwd, path))
      return files.replace(path, bytes, {
        ...options,
        async beforeReplace(place) {
          allowProtected(place.path)
          await options.beforeReplace?.(place)
        },
      })
    },
  }
}
