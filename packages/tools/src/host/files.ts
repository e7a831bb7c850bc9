/** Reads and changes files. Every failure is a `ToolError` that contains the path. */
export interface Files {
  /**
   * The facts about the file that a path resolves to, without opening it. Undefined if no file
   * exists.
   */
  stat(path: string, reach?: AllowedPaths): Promise<FileFacts | undefined>
  /**
   * Opens a regular file without blocking, and no other kind of file. The caller closes it.
   * `details.code` is `ENOENT` if it is missing.
   */
  open(path: string, reach?: AllowedPaths): Promise<OpenFile>
  /** The entries of a folder, in no particular order. */
  list(path: string, reach?: AllowedPaths): Promise<readonly FolderEntry[]>
  /**
   * Replaces a file atomically: readers see either the old bytes or the new ones, even after a
   * crash.
   */
  replace(path: string, bytes: Uint8Array, options: ReplaceOptions): Promise<ReplaceResult>
  /**
   * Removes a regular file if it has not changed, then the given folders while they are empty,
   * innermost first.
   */
  remove(path: string, options: RemoveOptions): Promise<void>
  /** Waits for exclusive use of the file. Call the returned function to release it. */
  lock(path: string, options?: LockOptions): Promise<() => void>
}

/** The files that a path may resolve to. */
export interface AllowedPaths {
  /**
   * The real paths to which the path may resolve. Default: a path inside the workspace must stay
   * inside it.
   */
  readonly paths?: readonly string[]
}

/** The facts about a file. */
export interface FileFacts {
  /** The real path, with all links resolved. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'pipe' | 'socket' | 'device'
  /** Identifies the file independently of its name. */
  readonly id: string
  readonly size: number
  readonly mtimeNs: bigint
  readonly mode: number
  readonly owner: { readonly user: number; readonly group: number }
}

/** A file that is open for reading. */
export interface OpenFile {
  readonly facts: FileFacts
  /**
   * Reads the file's bytes from `start` on. Each chunk is valid only until the next one is
   * requested.
   */
  read(options?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** A name in a folder. */
export interface FolderEntry {
  readonly name: string
  readonly isFolder: boolean
}

/** Options for `Files.replace`. */
export interface ReplaceOptions extends AllowedPaths {
  /**
   * The file as last seen, which must not have changed since. Undefined: the file must not exist.
   */
  readonly before: FileFacts | undefined
  /** Mode of a new file. Default: 0666 minus the umask. */
  readonly mode?: number
  readonly signal?: AbortSignal
  /** Called just before the file is replaced; if it fails, nothing is replaced. */
  readonly beforeReplace?: (
    place: Omit<ReplaceResult, 'facts'> & { readonly path: string },
  ) => Promise<void>
}

/** The new file, and the folders created for it. */
export interface ReplaceResult {
  readonly facts: FileFacts
  /** The folders that were created, outermost first. */
  readonly folders: readonly string[]
}

/** Options for `Files.remove`. */
export interface RemoveOptions extends AllowedPaths {
  readonly before: FileFacts
  readonly folders?: readonly string[]
}

/** Options for `Files.lock`. */
export interface LockOptions extends AllowedPaths {
  readonly signal?: AbortSignal
}

/** The facts that show whether a file was replaced or modified. */
export type FileVersion = Pick<FileFacts, 'kind' | 'id' | 'size' | 'mtimeNs'>

/** True if the file is the same and was not modified between the two. */
export function isUnchanged(one: FileVersion, other: FileVersion): boolean {
  return (
    one.id === other.id &&
    one.kind === other.kind &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs
  )
}
