/** What a decision must know of the machine. It is only looked at: nothing runs, nothing is written. */
export interface FileSystemView {
  /** The folder a call starts in: an absolute path. */
  readonly cwd: string
  readonly home: string
  /** The folders that are the workspace; each is absolute. */
  readonly roots: readonly string[]
  readonly platform: 'linux' | 'darwin' | 'win32'
  /** `.ENV` and `.env` may be the same file. */
  readonly caseSensitive: boolean
  /**
   * Where a path leads: every name it has on the way, as the system walks it, link by link, the last being the real
   * one. What does not exist yet has the name it would get. Undefined: it cannot be told (a loop, no permission).
   */
  follow(path: string): readonly string[] | undefined
  /** `follow` for many paths in one go: a folder that several of them lie in may be looked at only once. */
  followMany?(): (path: string) => readonly string[] | undefined
  /** What a path leads to. Undefined: nothing, or it cannot be told. Where this is missing, hard links are not seen. */
  identify?(path: string): FileIdentity | undefined
  /**
   * What lies in a folder, at any depth, by its path from there; links are not followed. Undefined: it cannot be told, or it is
   * too much.
   */
  entries?(folder: string): readonly { readonly path: string; readonly link: boolean }[] | undefined
  /** Whether a tool wrote a file (a real path) for the model to read, wherever it lies: all that a command printed. */
  wrote?(path: string): boolean
}

/** A file or folder, whatever it is called. */
export interface FileIdentity {
  /** The same for every name of the same thing. */
  readonly id: string
  readonly isFolder: boolean
  /** How many names it has: hard links. */
  readonly linkCount: number
}
