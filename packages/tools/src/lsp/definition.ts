/** A language server, as data. */
export interface ServerDefinition {
  readonly name: string
  /** The program, found on the PATH, and its arguments. */
  readonly command: readonly string[]
  /** Language ids by file extension or whole file name. */
  readonly languages: Readonly<Record<string, string>>
  /** The project root is the nearest folder with one of these files; otherwise the workspace. */
  readonly markers?: readonly string[]
  /** The npm package that provides the program, and the first major version that works. */
  readonly package?: { readonly name: string; readonly since?: number }
  /** It runs code of the project, such as build scripts, so it is started in trusted folders only. */
  readonly runsProject?: true
  /** How to install it. */
  readonly install: string
  /** Its `initializationOptions`. */
  readonly options?: unknown
  /** Its configuration, by section. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The key of a file in `languages`: `.ts`, or a whole name such as `Dockerfile`. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot).toLowerCase() : name
}

/** Globs for the names of files that a server handles. */
export function globsOf({ languages }: ServerDefinition): string[] {
  return Object.keys(languages).map((ending) => (ending.startsWith('.') ? `*${ending}` : ending))
}

/** Globs for all files that a server reads, project files included. */
export function watchedGlobs(definition: ServerDefinition): string[] {
  return [...globsOf(definition), ...(definition.markers ?? [])]
}
