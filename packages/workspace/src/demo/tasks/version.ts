import { fileNamedIn, type Task } from '../task.ts'

/** Finds the version of a project in its package.json. */
export const version: Task = {
  example: 'What version is in package.json?',
  match: (prompt) =>
    /\bversion\b|phiên bản|版本/i.test(prompt) && !/node|npm|git/i.test(prompt)
      ? (fileNamedIn(prompt) ?? 'package.json')
      : undefined,
  next(file, [content]) {
    if (content === undefined)
      return { say: `I'll look in ${file}.`, name: 'Read', args: { file_path: file } }
    const [, found] = /"?\bversion\b"?\s*[:=]\s*"?([^\s",]+)/.exec(content) ?? []
    return {
      say:
        found === undefined
          ? `I found no version in ${file}. Read returned:\n${headOf(content)}`
          : `The version in ${file} is ${found}.`,
    }
  },
}

function headOf(text: string): string {
  return text.split('\n').slice(0, 8).join('\n')
}
