import { type Agent, type ApiName, packaged, platform } from '../agent.ts'

/** The packages that contain opencode's clients. */
const packages: Readonly<Record<ApiName, string>> = {
  chat: '@ai-sdk/openai-compatible',
  responses: '@ai-sdk/openai',
  messages: '@ai-sdk/anthropic',
}

/** opencode. */
export const opencode: Agent = {
  name: 'opencode',
  apis: ['chat', 'responses', 'messages'],
  start({ api, gateway, token, model, prompt, home, folder, mcp }) {
    const provider = {
      npm: packages[api],
      name: 'Toolglot',
      options: { baseURL: `${gateway}/v1`, apiKey: token },
      models: { [model]: { name: model } },
    }
    const settings = {
      $schema: 'https://opencode.ai/config.json',
      autoupdate: false,
      share: 'disabled',
      provider: { toolglot: provider },
      model: `toolglot/${model}`,
      small_model: `toolglot/${model}`,
      ...(mcp && { mcp: { toolglot: { type: 'local', command: mcp, enabled: true } } }),
    }
    return {
      command: [packaged(`opencode-${platform}/bin/opencode`), 'run', prompt],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', PWD: folder },
      files: { [`${home}/.config/opencode/opencode.json`]: JSON.stringify(settings) },
    }
  },
  connected: {
    id: 'opencode',
    api: 'chat',
    command: ({ prompt }) => [packaged(`opencode-${platform}/bin/opencode`), 'run', prompt],
  },
  shell: (command) => ({ name: 'bash', args: { command, description: 'Runs a command' } }),
  read: (path) => ({ name: 'read', args: { filePath: path } }),
}
