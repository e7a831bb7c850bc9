import { UNSEEN } from '../../ui/unseen.ts'
import { shellWord } from '../../app/shell-word.ts'

/** A call to be written down. */
export interface CopiedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Undefined for the server's own. */
  readonly folder: string | undefined
}

/** A call as JSON, as the API takes it. */
export function asJson({ tool, args }: CopiedCall): string {
  return JSON.stringify({ tool_name: tool, arguments: args }, null, 2)
}

/** A call as a command line that asks this server. The token is not in it. */
export function asCurl({ tool, args, folder }: CopiedCall, origin: string): string {
  const body = plainJson({
    tool_name: tool,
    arguments: args,
    folder,
  })
  return [
    `curl -sS ${shellWord(`${origin}/api/tools/execute`)}`,
    `-H "Authorization: Bearer $TOOLGLOT_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(body)}`,
  ].join(' \\\n  ')
}

/** A call as a command line that needs no server. */
export function asCommand({ tool, args, folder }: CopiedCall): string {
  const words = ['toolglot', 'exec', shellWord(visible(tool)), shellWord(plainJson(args))]
  if (folder !== undefined) words.push('--cwd', shellWord(folder))
  return words.join(' ')
}

/** JSON on one line in which everything can be seen. */
function plainJson(value: unknown): string {
  return visible(JSON.stringify(value))
}

/** A text of JSON with what nobody sees written as escapes: that is the same JSON. */
function visible(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
