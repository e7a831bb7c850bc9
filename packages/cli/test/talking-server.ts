import {
  type Answer,
  type ReceivedRequest,
  delta,
  events,
  modelServer,
  type ModelServer,
} from '../../agent/test/model-server.ts'

export interface TalkingServer extends ModelServer {
  /** A value for `--model`, whose name implies the hermes protocol. */
  readonly model: string
  /** The messages in a request. */
  readonly messages: (at: number) => readonly { readonly role: string; readonly content: string }[]
}

/** A real server on loopback that sends these replies in order, and then repeats the last one. */
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

/** A reply in chunks, as models send it. */
export function saying(text: string): Answer {
  const pieces = text.match(/[^]{1,9}/g) ?? []
  return events(...pieces.map((content) => delta({ content })), delta({}, 'stop'), '[DONE]')
}

/** A call in the hermes protocol. */
export function calling(name: string, args: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
}
