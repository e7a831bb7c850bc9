/** What a decision needs to know about the machine. Implementations only read: they run and write nothing. */
export interface FileSystemView {
  /** The folder calls start in: an absolute path. */
  readonly cwd: string
  /** The user's home folder: an absolute path. */
  readonly home: string
  /** The folders of the workspace, as absolute paths. */
  readonly roots: readonly string[]
  readonly platform: 'linux' | 'darwin' | 'win32'
  /** Whether `.ENV` and `.env` are different files. */
  readonly caseSensitive: boolean
  /**
   * Where a path leads: every path on the way, link by link as the system resolves it, ending with the real one. A file
   * that doesn't exist yet has the path it would get. Undefined: unknown (a loop of links, no permission).
   */
  follow(path: string): readonly string[] | undefined
  /** Returns a `follow` for many paths, which may resolve a folder they share only once. */
  followMany?(): (path: string) => readonly string[] | undefined
  /** Which file or folder a path leads to. Undefined: none, or unknown. Without this method, hard links go unnoticed. */
  identify?(path: string): FileIdentity | undefined
  /**
   * All entries of a folder, at any depth, by their path relative to it. Links are not followed. Undefined: unknown, or too
   * many.
   */
  entries?(folder: string): readonly { readonly path: string; readonly link: boolean }[] | undefined
  /** Whether a tool wrote this file (a real path) for the model to read, such as the full output of a command. */
  wrote?(path: string): boolean
}

/** Identifies a file or folder, whatever its path. */
export interface FileIdentity {
  /** The same for every path of the same file. */
  readonly id: string
  readonly isFolder: boolean
  /** How many hard links it has. */
  readonly linkCount: number
}
