import type { Task } from '../task.ts'

/** Finds files by a pattern. */
export const findFiles: Task = {
  example: 'Find *.json',
  match: (prompt) => {
    const [pattern] = /\S*\*\S*/.exec(prompt) ?? []
    if (pattern !== undefined) return pattern
    const lists = /\b(list|show|which|what|find)\b.*\bfiles?\b|liệt kê|列出/i
    return lists.test(prompt) ? '*' : undefined
  },
  next: (pattern, [found]) =>
    found === undefined
      ? { say: `I'll look for ${pattern}.`, name: 'Glob', args: { pattern } }
      : { say: `Glob found:\n${found}` },
}
