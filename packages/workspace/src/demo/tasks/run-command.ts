import type { Task } from '../task.ts'

/** Runs a shell command. */
export const runCommand: Task = {
  example: 'Run node --version',
  match: (prompt) => {
    const [, command] = /\b(?:run|execute|chạy|运行)\s+[`'"]?([^`'"\n]+)/i.exec(prompt) ?? []
    if (command !== undefined) return command.trim().replace(/[.?!]$/, '')
    return /node/i.test(prompt) && /version/i.test(prompt) ? 'node --version' : undefined
  },
  next: (command, [output]) =>
    output === undefined
      ? { say: `I'll run ${command}.`, name: 'Bash', args: { command } }
      : { say: `Bash returned:\n${output}` },
}
