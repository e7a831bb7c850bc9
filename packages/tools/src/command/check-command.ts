import { ToolError } from '@toolglot/agent'
import { killsUs } from './self-kill.ts'
import { LONGEST_TEXT, shellText } from './shell-script.ts'

/** Refuses a command that no shell can be given, or that would end us. */
export function checkCommand(command: string): void {
  const problem =
    command.trim() === ''
      ? 'there is nothing in it'
      : command.includes('\0')
        ? 'it holds a NUL character'
        : Buffer.byteLength(shellText(command)) > LONGEST_TEXT
          ? `it is too long, at ${command.length} characters: write it to a file and run that`
          : killsUs(command, { pid: process.pid, names: ['node', process.title] })
  if (problem)
    throw new ToolError('invalid_input', `This command does not run: ${problem}.`, {
      code: 'command',
    })
}
