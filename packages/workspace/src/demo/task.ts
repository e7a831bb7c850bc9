/** A task that the demo script can do. */
export interface Task {
  /** A prompt that it understands, to show to people. */
  readonly example: string
  /** The object of the prompt, such as a file; undefined if the prompt is not for this task. */
  readonly match: (prompt: string) => string | undefined
  /** The next step, given the results so far. */
  readonly next: (wanted: string, results: readonly string[]) => Step
}

/** A call with a sentence before it, or the answer. */
export type Step =
  | { readonly say: string; readonly name: string; readonly args: Record<string, unknown> }
  | { readonly say: string }

/** The first word of a prompt that looks like a file: one with a dot or a slash. */
export function fileNamedIn(prompt: string): string | undefined {
  const words = prompt.split(/[\s"'`“”「」，。？?!,;:()]+/u)
  const found = words.find((word) => /[./]/.test(word) && /[\p{L}\p{N}]/u.test(word))
  return found?.replace(/^@/, '').replace(/\.$/, '')
}
