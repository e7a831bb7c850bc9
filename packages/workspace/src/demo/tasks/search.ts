import type { Task } from '../task.ts'

/** Searches all files for a word. */
export const search: Task = {
  example: 'Search for TODO',
  match: (prompt) => {
    const [, quoted, word] =
      /\b(?:search|grep|look)\b(?:\s+(?:for|the|word|text))*\s+(?:["'`]([^"'`]+)["'`]|(\S+))/i.exec(
        prompt,
      ) ?? []
    return quoted ?? word?.replace(/[.?!]$/, '')
  },
  next: (word, [found]) =>
    found === undefined
      ? {
          say: `I'll search for ${word}.`,
          name: 'Grep',
          args: { pattern: escaped(word), output_mode: 'content', head_limit: 20 },
        }
      : { say: `Grep returned:\n${found}` },
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
