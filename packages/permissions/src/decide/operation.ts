/** What a call does to the world, as far as rules speak of it. */
export type Operation = FileOperation | FetchOperation

export interface FileOperation {
  /** `list`: names are told, contents are not. */
  readonly kind: 'read' | 'write' | 'list'
  /** As it was given; relative to `cwd`. Undefined: it cannot be told which. */
  readonly path: string | undefined
  /** Undefined: it cannot be told, after a `cd` to nobody knows where. */
  readonly cwd: string | undefined
  /** What in the call does it, for people: `> out.txt`. */
  readonly because: string
  /** Whole folders go with it: `rm -r`. */
  readonly removes?: boolean
  /** What its command is for (`touch x`): whoever allows the command means it. Rules that deny or ask, and protected paths, still count. */
  readonly implied?: boolean
  /** It is done to the files in the folder, one by one, by names that a command prints: `find x | xargs cat`. */
  readonly each?: EachFile
  /** The tool whose own argument names the path; it leaves out of a folder what must not be read. None in shell text. */
  readonly tool?: string
}

/** Which names of files are printed, and how they are read. */
export interface EachFile {
  /** Only those with such a last name: `find -name`. */
  readonly named?: string
  readonly withoutLinks?: boolean
  /** Blanks part them, quotes and all. */
  readonly cut?: boolean
}

export interface FetchOperation {
  readonly kind: 'fetch'
  readonly url: string | undefined
  readonly because: string
  /** As of a file: whoever allows `curl` means it. */
  readonly implied?: boolean
}
