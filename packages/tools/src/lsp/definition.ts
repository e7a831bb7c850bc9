/** A language server, as data. */
export interface ServerDefinition {
  readonly name: string
  /** The program, found on the PATH, and its arguments. */
  readonly command: readonly string[]
  /** By the ending of a file's name, or all of it: what the protocol calls its language. */
  readonly languages: Readonly<Record<string, string>>
  /** A project begins in the nearest folder that has one of these; else it is the workspace. */
  readonly markers?: readonly string[]
  /** The npm package that has the program, which may be installed beside us; and its first version that will do. */
  readonly package?: { readonly name: string; readonly since?: number }
  /** It runs what the project brings, such as build scripts: it is started in trusted folders only. */
  readonly runsProject?: true
  /** How one gets it. */
  readonly install: string
  /** Said when it starts. */
  readonly options?: unknown
  /** Said when it asks, by section. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** What a table of servers is asked by: `.ts`, or a whole name such as `Dockerfile`. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot).toLowerCase() : name
}

/** Globs for the names of files that a server knows. */
export function globsOf({ languages }: ServerDefinition): string[] {
  return Object.keys(languages).map((ending) => (ending.startsWith('.') ? `*${ending}` : ending))
}

/** Those, and of what else it reads in a project. */
export function watchedGlobs(definition: ServerDefinition): string[] {
  return [...globsOf(definition), ...(definition.markers ?? [])]
}
