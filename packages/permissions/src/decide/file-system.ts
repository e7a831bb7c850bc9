/**
 * A decision's view of the machine. Implementations only read: they run nothing and write nothing.
 */
export interface FileSystemView {
  /** The absolute path of the folder in which calls start. */
  readonly cwd: string
  /** The absolute path of the user's home folder. */
  readonly home: string
  /** The absolute paths of the workspace folders. */
  readonly roots: readonly string[]
  readonly platform: 'linux' | 'darwin' | 'win32'
  /** True if `.ENV` and `.env` are different files. */
  readonly caseSensitive: boolean
  /**
   * Resolves a path, and returns every intermediate path, link by link as the system resolves it,
   * ending with the real one. For a file that doesn't exist yet, the real path is where it would be
   * created. Undefined if unknown (a loop of links, no permission).
   */
  follow(path: string): readonly string[] | undefined
  /** Returns a `follow` for many paths, which may resolve a shared folder only once. */
  followMany?(): (path: string) => readonly string[] | undefined
  /**
   * Identifies the file or folder at a path. Undefined if nothing exists there or the identity is
   * unknown. Without this method, hard links go unnoticed.
   */
  identify?(path: string): FileIdentity | undefined
  /**
   * The version of a file, which may be read up to a maximum number of bytes. Undefined if the path
   * is missing or a folder. Without this method, changes to code after an approval go unnoticed.
   */
  version?(path: string, most: number): FileVersion | undefined
  /**
   * The entries of a folder. With `deep`, includes the entries of all nested folders, with paths
   * relative to it. Links are not followed. Undefined if unknown, or if there are more than `most`.
   */
  list?(folder: string, options: ListOptions): Promise<readonly FolderEntry[] | undefined>
  /** The repository that a folder belongs to. Undefined if there is none or it is unknown. */
  repository?(folder: string): Repository | undefined
  /**
   * The absolute paths of files and folders that git runs or applies because the repository's
   * settings refer to them, such as a folder of hooks.
   */
  obeyedByGit?(folder: string): readonly string[]
  /** Folders that a sandbox replaces for commands, such as `/tmp`. */
  temporary?(): Promise<readonly TemporaryMount[]>
  /**
   * True if a tool wrote this file (a real path) for the model to read, such as the full output of
   * a command.
   */
  wrote?(path: string): boolean
}

/** Options for listing a folder. */
export interface ListOptions {
  /** List nested folders too. */
  readonly deep: boolean
  /** The maximum number of entries. */
  readonly most: number
  /** Names of folders to list without their content. */
  readonly without?: readonly string[] | undefined
}

/** An entry of a folder. */
export interface FolderEntry {
  /** The path relative to the listed folder. */
  readonly path: string
  /** Links are always `link`, whatever their target. */
  readonly kind: 'file' | 'folder' | 'link'
}

/** A folder that only the commands of this run see, and its place on disk. */
export interface TemporaryMount {
  /** Its path in commands, such as `/tmp`. */
  readonly path: string
  readonly real: string
  /**
   * System folders inside it that commands can still see, such as the git folder of a workspace.
   */
  readonly shown?: readonly string[]
}

/** A git repository. */
export interface Repository {
  /** The real path of its top folder. */
  readonly root: string
  /** The tracked files, relative to the top folder. Undefined if unknown. */
  readonly files?: readonly string[]
  /**
   * Returns true if a tracked file, given relative to the top folder, certainly equals its version
   * in the index.
   */
  readonly isUnchanged?: (file: string) => boolean
  /**
   * Returns true if git certainly doesn't list a tracked file as changed, not even because of its
   * mode.
   */
  readonly isClean?: (file: string) => boolean
  /**
   * The files that differ between the last commit and the index, relative to the top folder.
   * Undefined if unknown.
   */
  readonly changedSinceHead?: () => ReadonlySet<string> | undefined
  /** Tracked folders that are commits of other repositories. Undefined if unknown. */
  readonly submodules?: readonly string[]
  /** Tracked repositories with their own settings, in which git also runs. Undefined if unknown. */
  readonly repositories?: readonly string[]
  /**
   * Returns true if nothing in it can make git run a program, and it tracks no other repository.
   */
  readonly isPlain?: () => boolean
  /** The folders with its settings and hooks, including those of its submodules. */
  readonly gitFolders?: () => readonly string[]
}

/** The identity of a file or folder, independent of its path. */
export interface FileIdentity {
  /** An identifier shared by all paths of the same file. */
  readonly id: string
  readonly isFolder: boolean
  /** The number of its hard links. */
  readonly linkCount: number
}

/** A version of a file. */
export interface FileVersion {
  /** Changes whenever the file's content changes. */
  readonly version: string
  /** The number of bytes read to determine the version. */
  readonly bytes: number
}
