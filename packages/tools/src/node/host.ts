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

/** Options for `nodeHost`. */
export interface NodeHostOptions extends Omit<NodeProcessOptions, 'fileSystem' | 'storage'> {
  /**
   * The folder in which commands start, and the only folder of the workspace. Default: the folder
   * of this process.
   */
  readonly cwd?: string | undefined
  /**
   * Replaces `cwd` if the workspace has several folders: see `nodeFileSystem` of
   * `@toolglot/permissions/node`.
   */
  readonly fileSystem?: FileSystemView | undefined
  /** The storage for logs, todos and checkpoints. Default: a new folder, which `close` removes. */
  readonly storage?: Storage | undefined
  /** Asks the user questions. Default: no user. */
  readonly ask?: Ask | undefined
  readonly web?: NodeWebOptions | undefined
  readonly language?: NodeLanguageOptions | undefined
}

/** A host for this machine. Relative paths start in the folder in which the last command ended. */
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
      // Keeps a folder with the user's files that were moved aside.
      if (!options.storage && !existsSync(asideFolder(storage.folder)))
        await rm(storage.folder, { recursive: true, force: true })
    },
  }
}

/** Registers files written by tools as approved, so that no guard moves them aside. */
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
