import {
  type Answer,
  type ReceivedRequest,
  delta,
  events,
  modelServer,
  type ModelServer,
} from '../../agent/test/model-server.ts'

export interface TalkingServer extends ModelServer {
  /** As `--model` takes it; its name tells that it writes hermes. */
  readonly model: string
  /** The messages that it was sent in a request. */
  readonly messages: (at: number) => readonly { readonly role: string; readonly content: string }[]
}

/** A real server on loopback that says these one after the other, then the last again and again. */
export async function talkingServer(
  ...replies: readonly (string | Answer)[]
): Promise<TalkingServer> {
  const server = await modelServer(
    ...replies.map((reply) => (typeof reply === 'string' ? saying(reply) : reply)),
  )
  const chats = (): ReceivedRequest[] =>
    server.requests.filter(({ path }) => path.endsWith('/completions'))
  return {
    ...server,
    model: `${server.url}/v1#qwen3:8b`,
    messages: (at) => chats()[at]!.body['messages'] as ReturnType<TalkingServer['messages']>,
  }
}

/** A reply in pieces, as models send it. */
export function saying(text: string): Answer {
  const pieces = text.match(/[^]{1,9}/g) ?? []
  return events(...pieces.map((content) => delta({ content })), delta({}, 'stop'), '[DONE]')
}

/** A reply from a server that reports how many tokens were used. */
export function sayingCounted(text: string): Answer {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  return events(delta({ content: text }), delta({}, 'stop', { usage }), '[DONE]')
}

/** A call as hermes writes it. */
export function calling(name: string, args: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
}
