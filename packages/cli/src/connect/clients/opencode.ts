import { join } from 'node:path'
import type { Client } from '../client.ts'

export const opencode: Client = {
  id: 'opencode',
  name: 'opencode',
  file: ({ home, env }) =>
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode', 'opencode.json'),
  settings: ({ url, token, model }) => ({
    values: [
      [
        ['provider', 'toolglot'],
        {
          npm: '@ai-sdk/openai-compatible',
          name: 'Toolglot',
          options: { baseURL: `${url}/v1`, apiKey: token },
          models: { [model]: { name: model } },
        },
      ],
      [['model'], `toolglot/${model}`],
      [['small_model'], `toolglot/${model}`],
    ],
  }),
  next: 'opencode',
}
