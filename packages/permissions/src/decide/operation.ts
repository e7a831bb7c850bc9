/** An action of a call that rules can cover. */
export type Operation = FileOperation | FetchOperation

/** An action on a file or folder: read, write or list. */
export interface FileOperation {
  /** `list` shows names but no contents. */
  readonly kind: 'read' | 'write' | 'list'
  /** The path as given, relative to `cwd`. Undefined if unknown. */
  readonly path: string | undefined
  /** Undefined if unknown, such as after a `cd` to an unknown folder. */
  readonly cwd: string | undefined
  /** The part of the call with this action, for people: `> out.txt`. */
  readonly because: string
  /** True if it removes whole folders: `rm -r`. */
  readonly removes?: boolean
  /** True if the file or folder is moved elsewhere with its content: `mv`. */
  readonly moves?: boolean
  /**
   * True if it is the command's purpose (`touch x`), so allowing the command allows it. Deny and
   * ask rules and protected paths still apply.
   */
  readonly implied?: boolean
  /**
   * Patterns for the names of the files used in a folder: `grep -r --include='*.ts'`. Default: all.
   */
  readonly only?: readonly string[]
  /**
   * True if it may also use files from earlier commits of the folder, so its current content is not
   * enough to decide.
   */
  readonly past?: boolean
  /**
   * Limits the use of earlier commits to files that differ from the last commit: in the index, or
   * among tracked files.
   */
  readonly sinceHead?: 'index' | 'files'
  /**
   * True for a path in earlier commits. It may have been a folder there, even if nothing exists
   * now.
   */
  readonly formerly?: true
  /**
   * Of a folder, only changes in files that git tracks are used. With `named`, only files that git
   * prints as changed.
   */
  readonly tracked?: true | 'named'
  /**
   * Set if it may use any source file of the project, by following imports or searching. Folders
   * with these names contain generated files and are not searched. Only the current files count,
   * even if other commands in the same text change them.
   */
  readonly anywhere?: { readonly without: readonly string[] }
  /** True if it uses the files in a folder that match a pattern. */
  readonly matching?: true
  /** True if the content is only data to the program, so nothing in it runs. */
  readonly data?: boolean
  /** The folder whose whole content is copied into this one: `cp -r`. */
  readonly brings?: string
  /**
   * True if the word may not be a path. Then changes by other commands of the text are no reason to
   * ask.
   */
  readonly possible?: true
  /** True if any files may appear in the folder, since it comes from elsewhere: `git clone`. */
  readonly anything?: true
  /**
   * Information that may be outdated when the command runs, because other commands of the text may
   * change it: the content of the folder, or also the target of the path.
   */
  readonly stale?: 'listing' | 'path'
  /**
   * Set if files in the folder are used one by one, by names that a command prints: `find x | xargs
   * cat`.
   */
  readonly each?: EachFile
  /**
   * The tool whose argument is the path. Such a tool skips files that must not be read. Undefined
   * in shell text.
   */
  readonly tool?: string
}

/** The file names that are printed, and how they are read. */
export interface EachFile {
  /** True if only files that git tracks are printed. */
  readonly tracked?: boolean
  readonly withoutLinks?: boolean
  /**
   * True if names are split at whitespace and quotes in them are interpreted; `lines` if they are
   * split only at line ends.
   */
  readonly cut?: boolean | 'lines'
  /** True if only files that differ from the git index are printed. */
  readonly changed?: true
}

/** An action on a URL: fetch it. */
export interface FetchOperation {
  readonly kind: 'fetch'
  readonly url: string | undefined
  readonly because: string
  /** True if it is the command's purpose, so allowing `curl` allows it. */
  readonly implied?: boolean
  /**
   * True if it follows redirects, which may lead to any host. Not set for a tool that decides on
   * each redirect.
   */
  readonly follows?: true
}
