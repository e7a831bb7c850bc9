import { fileNamedIn, type Task } from '../task.ts'

/** Writes a small file and changes it. */
export const writeAndEdit: Task = {
  example: 'Create hello.txt and edit it',
  match: (prompt) =>
    /\b(create|write|make|edit)\b|tạo|创建/i.test(prompt) && !/\b(todo|list)\b/i.test(prompt)
      ? (fileNamedIn(prompt) ?? 'toolglot-hello.txt')
      : undefined,
  next(file, [written, edited]) {
    if (written === undefined)
      return {
        say: `I'll write ${file}.`,
        name: 'Write',
        args: { file_path: file, content: 'Hello from a script.\nIt can call tools.\n' },
      }
    if (!/^(Created|Replaced) /.test(written))
      return { say: `${file} was not written. Write returned:\n${written}` }
    if (edited === undefined)
      return {
        say: "Now I'll change its first line.",
        name: 'Edit',
        args: {
          file_path: file,
          old_string: 'Hello from a script.',
          new_string: 'Hello from a script that can edit, too.',
        },
      }
    return { say: `Done. Edit returned:\n${edited}\nTo undo this: /undo` }
  },
}
