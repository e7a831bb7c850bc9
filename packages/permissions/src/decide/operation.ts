/** Something a call does that rules can cover. */
export type Operation = FileOperation | FetchOperation

/** Something a call does with a file or folder: read, write or list it. */
export interface FileOperation {
  /** `list` shows names, but no contents. */
  readonly kind: 'read' | 'write' | 'list'
  /** As given, relative to `cwd`. Undefined: unknown. */
  readonly path: string | undefined
  /** Undefined: unknown, after a `cd` to an unknown folder. */
  readonly cwd: string | undefined
  /** The part of the call that does it, for people to read: `> out.txt`. */
  readonly because: string
  /** It removes whole folders: `rm -r`. */
  readonly removes?: boolean
  /** The file or folder is moved elsewhere with its content: `mv`. */
  readonly moves?: boolean
  /** It is what the command is for (`touch x`), so allowing the command allows it. Deny and ask rules and protected paths still count. */
  readonly implied?: boolean
  /** If it is a folder, only files whose names match one of these patterns are used: `grep -r --include='*.ts'`. */
  readonly only?: readonly string[]
  /** It may also use files that were in the folder in earlier commits, so what is there now doesn't tell. */
  readonly past?: boolean
  /** Of that, it uses only what differs from the last commit: in the index, or in tracked files. */
  readonly sinceHead?: 'index' | 'files'
  /** It is a path in earlier commits, where it may have been a folder, even if nothing is there now. */
  readonly formerly?: true
  /** Of a folder, it uses only what has changed in files that git tracks; or `named`: only files that git prints as changed. */
  readonly tracked?: true | 'named'
  /**
   * It may use any of the project's sources: it follows imports, or looks for them itself. Folders of these names, which programs
   * make, are not looked into, and what is there now counts, whatever other commands of the text change.
   */
  readonly anywhere?: { readonly without: readonly string[] }
  /** It concerns the files in a folder that match a pattern. */
  readonly matching?: true
  /** Its content is only data to the program: nothing in it runs. */
  readonly data?: boolean
  /** All that is in this folder is written into it: `cp -r`. */
  readonly brings?: string
  /** It may also be the name of something else: what other commands of the text change is no reason to doubt it. */
  readonly possible?: true
  /** Any files may come into it, since it is a folder that comes from elsewhere: `git clone`. */
  readonly anything?: true
  /**
   * What may not hold any more when the command runs, because other commands of the text may change it: what is in the folder,
   * or also where the path leads.
   */
  readonly stale?: 'listing' | 'path'
  /** It affects files in the folder one by one, by names that a command prints: `find x | xargs cat`. */
  readonly each?: EachFile
  /** The tool whose argument names the path. Such a tool skips files that must not be read. Undefined in shell text. */
  readonly tool?: string
}

/** Which file names are printed, and how they are read. */
export interface EachFile {
  /** They are the names of files that git tracks. */
  readonly tracked?: boolean
  readonly withoutLinks?: boolean
  /** They are split at whitespace, and quotes in them are interpreted; or they are only split at the ends of lines. */
  readonly cut?: boolean | 'lines'
  /** They are the names of files that differ from the index of git. */
  readonly changed?: true
}

/** Something a call does with a URL: fetch it. */
export interface FetchOperation {
  readonly kind: 'fetch'
  readonly url: string | undefined
  readonly because: string
  /** It is what the command is for, so allowing `curl` allows it. */
  readonly implied?: boolean
  /** It follows redirects, which may lead to any host. A tool that decides on each of them doesn't. */
  readonly follows?: true
}
