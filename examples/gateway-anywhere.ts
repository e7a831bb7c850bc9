// The gateway as a fetch handler: it runs in any environment with Request and Response, such as
// Bun, Deno and Workers. Try it: TOKEN=$(openssl rand -hex 32) bun examples/gateway-anywhere.ts
import { openAiCompatible } from '@toolglot/agent/models'
import { createGateway } from '@toolglot/server/gateway'

/** The variables of the handler. */
interface Environment {
  /** The token that clients send as `Authorization: Bearer`. */
  readonly TOKEN?: string
  /** A server with OpenAI's chat completions. Default: Ollama on this machine. */
  readonly MODEL_URL?: string
}

/** Answers a request to `/v1/chat/completions` or `/v1/models`. */
export async function answer(request: Request, environment: Environment): Promise<Response> {
  if (!(await hasToken(request, environment.TOKEN)))
    return Response.json(
      { error: { code: 'unauthorized', message: 'Send the token.' } },
      { status: 401 },
    )
  return gatewayFor(environment).fetch(request, { owner: 'everyone' })
}

export default {
  // Workers pass their variables; in other environments, the second argument is something else.
  fetch: (request: Request, variables: Environment): Promise<Response> =>
    answer(request, 'process' in globalThis ? process.env : variables),
}

let gateway: ReturnType<typeof createGateway> | undefined

function gatewayFor({
  MODEL_URL = 'http://127.0.0.1:11434',
}: Environment): NonNullable<typeof gateway> {
  const model = openAiCompatible({ url: MODEL_URL, model: 'qwen3:8b' })
  gateway ??= createGateway({
    models: {
      list: async () => [{ name: 'default', owner: 'me' }],
      find: async (name) => (name === 'default' ? { model } : undefined),
    },
  })
  return gateway
}

/** Compares digests, so that the duration reveals nothing about the token. */
async function hasToken(request: Request, token: string | undefined): Promise<boolean> {
  if (!token) return false
  const digest = async (text: string): Promise<string> =>
    String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
  const given = request.headers.get('authorization') ?? ''
  return (await digest(given)) === (await digest(`Bearer ${token}`))
}
