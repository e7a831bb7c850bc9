/** Something that the script can do: what it takes a prompt for, and what comes next. */
export interface Task {
  /** A prompt that it understands, for people. */
  readonly example: string
  /** What a prompt wants of it, such as a file; undefined where it wants something else. */
  readonly match: (prompt: string) => string | undefined
  /** The next step, after what the tools gave so far. */
  readonly next: (wanted: string, results: readonly string[]) => Step
}

/** A call with a word before it, or the answer. */
export type Step =
  | { readonly say: string; readonly name: string; readonly args: Record<string, unknown> }
  | { readonly say: string }

/** The file that a prompt names, if it names one: what has a dot or a slash in it. */
export function fileNamedIn(prompt: string): string | undefined {
  const words = prompt.split(/[\s"'`“”「」，。？?!,;:()]+/u)
  const found = words.find((word) => /[./]/.test(word) && /[\p{L}\p{N}]/u.test(word))
  return found?.replace(/^@/, '').replace(/\.$/, '')
}
