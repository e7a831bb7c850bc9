import { call, type Script } from './scripted-upstream.ts'

/**
 * A model that writes the calls requested in the last prompt, one in each turn, and then finishes.
 */
export const obedient: Script = (messages) => {
  const at = messages
    .map(({ role, content }) => role === 'user' && !content.startsWith('<tool_response>'))
    .lastIndexOf(true)
  const turn = messages.slice(at).filter(({ role }) => role === 'assistant').length
  const asked = [...messages[at]!.content.matchAll(/^DO (\w+) (\{.*\})$/gm)]
  const [, name, args] = asked[turn] ?? []
  return name === undefined ? 'Done.' : call(name, JSON.parse(args!) as object)
}

/** A line of a prompt that requests a call of Write. */
export function write(file: string, content = 'text'): string {
  return `DO Write ${JSON.stringify({ file_path: file, content })}`
}

/** A line of a prompt that requests a call of Read. */
export function read(file: string): string {
  return `DO Read ${JSON.stringify({ file_path: file })}`
}

/** A line of a prompt that requests a command. */
export function bash(command: string): string {
  return `DO Bash ${JSON.stringify({ command, description: 'A command' })}`
}
