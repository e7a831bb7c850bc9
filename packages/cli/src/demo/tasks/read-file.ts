import { fileNamedIn, type Task } from '../task.ts'

/** What a file begins with. */
export const readFile: Task = {
  example: 'Read README.md',
  match: (prompt) =>
    /\b(read|show|open|cat|print)\b|đọc|读/i.test(prompt) ? fileNamedIn(prompt) : undefined,
  next: (file, [content]) =>
    content === undefined
      ? { say: `I read ${file}.`, name: 'Read', args: { file_path: file, limit: 10 } }
      : { say: `${file} begins like this:\n${content}` },
}
