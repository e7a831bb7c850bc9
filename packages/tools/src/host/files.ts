/** Files, as tools read and change them. Whatever fails is a `ToolError` that names the path. */
export interface Files {
  /** What a path leads to; undefined if there is nothing. Nothing is opened. */
  stat(path: string, reach?: AllowedPaths): Promise<FileFacts | undefined>
  /** Opens a plain file, and no other thing: it never waits for one. To be closed. `ENOENT` in `details.code`: nothing is there. */
  open(path: string, reach?: AllowedPaths): Promise<OpenFile>
  /** What a folder holds, in no order. */
  list(path: string, reach?: AllowedPaths): Promise<readonly FolderEntry[]>
  /** Puts bytes in the place of a file: whoever looks finds the old ones or the new ones, after a crash too. */
  replace(path: string, bytes: Uint8Array, options: ReplaceOptions): Promise<ReplaceResult>
  /** Removes a plain file that is still as it was; and these folders, innermost first, if they are empty then. */
  remove(path: string, options: RemoveOptions): Promise<void>
  /** Waits until no other call works on the file. Call what comes back to let the next one in. */
  lock(path: string, options?: LockOptions): Promise<() => void>
}

/** How far a path may lead. */
export interface AllowedPaths {
  /** It must lead to one of these real paths. Undefined: what is named in the workspace must lie in it. */
  readonly paths?: readonly string[]
}

export interface FileFacts {
  /** The real path: no link is on the way. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'pipe' | 'socket' | 'device'
  /** The same for the same file, whatever its name is. */
  readonly id: string
  readonly size: number
  readonly mtimeNs: bigint
  readonly mode: number
  readonly owner: { readonly user: number; readonly group: number }
}

export interface OpenFile {
  readonly facts: FileFacts
  /** Its bytes from `start` on, in pieces that hold only until the next one is asked for. */
  read(options?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export interface FolderEntry {
  readonly name: string
  readonly isFolder: boolean
}

export interface ReplaceOptions extends AllowedPaths {
  /** The file as it was looked at, which it must still be. Undefined: there must be none. */
  readonly before: FileFacts | undefined
  /** For a new file; 0666 less the umask if not told. */
  readonly mode?: number
  readonly signal?: AbortSignal
  /** Done before the new bytes take their place; if it fails, they do not. */
  readonly beforeReplace?: (
    place: Omit<ReplaceResult, 'facts'> & { readonly path: string },
  ) => Promise<void>
}

export interface ReplaceResult {
  readonly facts: FileFacts
  /** The folders that had to be made, outermost first. */
  readonly folders: readonly string[]
}

export interface RemoveOptions extends AllowedPaths {
  readonly before: FileFacts
  readonly folders?: readonly string[]
}

export interface LockOptions extends AllowedPaths {
  readonly signal?: AbortSignal
}

/** Whether nothing happened to a file between two looks at it. */
export function isUnchanged(one: FileFacts, other: FileFacts): boolean {
  return (
    one.id === other.id &&
    one.kind === other.kind &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs
  )
}
