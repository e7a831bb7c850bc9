import { fileNamedIn, type Task } from '../task.ts'

/** Counts the lines of a file. */
export const countLines: Task = {
  example: 'Count the lines of README.md',
  match: (prompt) =>
    /\b(count|how many)\b.*\blines?\b|đếm|多少行/i.test(prompt) ? fileNamedIn(prompt) : undefined,
  next(file, [counted]) {
    if (counted === undefined)
      return {
        say: `I'll count the lines of ${file}.`,
        name: 'Grep',
        args: { pattern: '^', path: file, output_mode: 'count' },
      }
    const [, count] = /: (\d+)/.exec(counted) ?? []
    return {
      say: count === undefined ? `Grep returned: ${counted}` : `${file} has ${count} lines.`,
    }
  },
}
