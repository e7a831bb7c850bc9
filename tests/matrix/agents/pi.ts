import { type Agent, type ApiName, packaged } from '../agent.ts'

/** The names of the APIs in pi. */
const apis: Readonly<Record<ApiName, string>> = {
  chat: 'openai-completions',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
}

const command = ({
  prompt,
  model,
}: {
  readonly prompt: string
  readonly model: string
}): [string, ...string[]] => [
  process.execPath,
  packaged('@mariozechner/pi-coding-agent/dist/cli.js'),
  ...['--provider', 'toolglot', '--model', model, '--print', prompt],
]

/** The coding agent pi. */
export const pi: Agent = {
  name: 'pi',
  apis: ['chat', 'responses', 'messages'],
  start({ api, gateway, token, model, prompt, home }) {
    const provider = {
      // Anthropic's client adds the path itself.
      baseUrl: api === 'messages' ? gateway : `${gateway}/v1`,
      apiKey: 'TOOLGLOT_GATEWAY_TOKEN',
      api: apis[api],
      models: [{ id: model, contextWindow: 128_000, maxTokens: 8192 }],
    }
    return {
      command: command({ prompt, model }),
      env: { TOOLGLOT_GATEWAY_TOKEN: token, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' },
      files: {
        [`${home}/.pi/agent/models.json`]: JSON.stringify({ providers: { toolglot: provider } }),
      },
    }
  },
  connected: {
    id: 'pi',
    api: 'chat',
    command,
  },
  shell: (command) => ({ name: 'bash', args: { command } }),
  read: (path) => ({ name: 'read', args: { path } }),
}
