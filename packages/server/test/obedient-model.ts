import { call, type Script } from './scripted-upstream.ts'

/** A model that writes the calls that the last prompt asks for, one in each turn, and then says that it is done. */
export const obedient: Script = (messages) => {
  const at = messages
    .map(({ role, content }) => role === 'user' && !content.startsWith('<tool_response>'))
    .lastIndexOf(true)
  const turn = messages.slice(at).filter(({ role }) => role === 'assistant').length
  const asked = [...messages[at]!.content.matchAll(/^DO (\w+) (\{.*\})$/gm)]
  const [, name, args] = asked[turn] ?? []
  return name === undefined ? 'Done.' : call(name, JSON.parse(args!) as object)
}

/** The line of a prompt that asks for a call of Write. */
export function write(file: string, content = 'text'): string {
  return `DO Write ${JSON.stringify({ file_path: file, content })}`
}

/** The line of a prompt that asks for a call of Read. */
export function read(file: string): string {
  return `DO Read ${JSON.stringify({ file_path: file })}`
}

/** The line of a prompt that asks for a command. */
export function bash(command: string): string {
  return `DO Bash ${JSON.stringify({ command, description: 'A command' })}`
}
