/** A decision's view of the machine. Implementations only read: they run and write nothing. */
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
   * The version of a file, for which at most so many bytes are read. Undefined: there is none, or it is a folder. Without this
   * method, an approval does not notice that code has changed.
   */
  version?(path: string, most: number): FileVersion | undefined
  /**
   * The entries of a folder; with `deep`, also those of all folders in it, by their path relative to it. Links are not
   * followed. Undefined: unknown, or more than `most`.
   */
  list?(folder: string, options: ListOptions): Promise<readonly FolderEntry[] | undefined>
  /** The repository that a folder belongs to. Undefined: none, or unknown. */
  repository?(folder: string): Repository | undefined
  /**
   * Files and folders that git runs or obeys because settings of the folder's repository name them, such as a folder of hooks, as
   * absolute paths.
   */
  obeyedByGit?(folder: string): readonly string[]
  /** The folders that commands see in place of others because a sandbox holds them, such as their own `/tmp`. */
  temporary?(): Promise<readonly TemporaryMount[]>
  /** Whether a tool wrote this file (a real path) for the model to read, such as the full output of a command. */
  wrote?(path: string): boolean
}

/** How a folder is listed. */
export interface ListOptions {
  /** Whether to list the folders in it too. */
  readonly deep: boolean
  /** How many entries are too many. */
  readonly most: number
  /** Names of folders that are listed without what is in them. */
  readonly without?: readonly string[] | undefined
}

/** An entry of a folder. */
export interface FolderEntry {
  /** Relative to the folder that was listed. */
  readonly path: string
  /** A link is a `link`, whatever it leads to. */
  readonly kind: 'file' | 'folder' | 'link'
}

/** A folder that only the commands of this run use, and what it is on disk. */
export interface TemporaryMount {
  /** Its path in commands: `/tmp`. */
  readonly path: string
  readonly real: string
  /** Folders of the system in it that commands see all the same, such as the git folder of a workspace. */
  readonly shown?: readonly string[]
}

/** A repository of git. */
export interface Repository {
  /** Its top folder: a real path. */
  readonly root: string
  /** The files it tracks, relative to its top folder. Undefined: unknown. */
  readonly files?: readonly string[]
  /** Whether a file that it tracks, relative to its top folder, is certainly the same as in its index. */
  readonly isUnchanged?: (file: string) => boolean
  /** Whether git certainly doesn't list a file that it tracks as changed, not even because of its mode. */
  readonly isClean?: (file: string) => boolean
  /** The files that differ between the last commit and the index, relative to its top folder. Undefined: unknown. */
  readonly changedSinceHead?: () => ReadonlySet<string> | undefined
  /** Tracked folders that are commits of other repositories. Undefined: unknown. */
  readonly submodules?: readonly string[]
  /** Those that are repositories with settings of their own, in which git runs, too. Undefined: unknown. */
  readonly repositories?: readonly string[]
  /** Whether nothing in it can make git run a program, and it tracks no other repository. */
  readonly isPlain?: () => boolean
  /** The folders with its settings and hooks, and with those of its submodules. */
  readonly gitFolders?: () => readonly string[]
}

/** Identifies a file or folder, whatever its path. */
export interface FileIdentity {
  /** The same for every path of the same file. */
  readonly id: string
  readonly isFolder: boolean
  /** How many hard links it has. */
  readonly linkCount: number
}

/** A version of a file. */
export interface FileVersion {
  /** Changes whenever the content of the file does. */
  readonly version: string
  /** How many bytes were read to find out. */
  readonly bytes: number
}
