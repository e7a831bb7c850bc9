import type { Task } from '../task.ts'
import { askQuestion } from './ask-question.ts'
import { countLines } from './count-lines.ts'
import { findFiles } from './find-files.ts'
import { readFile } from './read-file.ts'
import { runCommand } from './run-command.ts'
import { search } from './search.ts'
import { todos } from './todos.ts'
import { version } from './version.ts'
import { writeAndEdit } from './write-and-edit.ts'

/** What the script can do. The first task that understands a prompt gets it. */
export const tasks: readonly Task[] = [
  runCommand,
  version,
  countLines,
  search,
  todos,
  askQuestion,
  writeAndEdit,
  findFiles,
  readFile,
]
