import { fileNamedIn, type Task } from '../task.ts'

/** Reads the start of a file. */
export const readFile: Task = {
  example: 'Read README.md',
  match: (prompt) =>
    /\b(read|show|open|cat|print)\b|đọc|读/i.test(prompt) ? fileNamedIn(prompt) : undefined,
  next: (file, [content]) =>
    content === undefined
      ? { say: `I'll read ${file}.`, name: 'Read', args: { file_path: file, limit: 10 } }
      : { say: `${file} starts like this:\n${content}` },
}
