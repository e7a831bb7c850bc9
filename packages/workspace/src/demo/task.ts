/** A task of the demo script. */
export interface Task {
  /** A prompt for this task, to show to people. */
  readonly example: string
  /** The object of the prompt, such as a file. Undefined if the prompt is not about this task. */
  readonly match: (prompt: string) => string | undefined
  /** The next step, given the results so far. */
  readonly next: (wanted: string, results: readonly string[]) => Step
}

/** A call with a sentence before it, or the answer. */
export type Step =
  | { readonly say: string; readonly name: string; readonly args: Record<string, unknown> }
  | { readonly say: string }

/** The first word of a prompt that looks like a file because it contains a dot or a slash. */
export function fileNamedIn(prompt: string): string | undefined {
  const words = prompt.split(/[\s"'`“”「」，。？?!,;:()]+/u)
  const found = words.find((word) => /[./]/.test(word) && /[\p{L}\p{N}]/u.test(word))
  return found?.replace(/^@/, '').replace(/\.$/, '')
}
