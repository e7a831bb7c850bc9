import type { Client } from '../client.ts'

export const zed: Client = {
  id: 'zed',
  name: 'Zed',
  settings: ({ url, model }) => ({
    values: [
      [
        ['language_models', 'openai_compatible', 'Toolglot'],
        {
          api_url: `${url}/v1`,
          available_models: [{ name: model, max_tokens: 32_768, capabilities: { tools: true } }],
        },
      ],
    ],
  }),
  next: 'put it into the settings (zed: open settings), and the token where Zed asks for a key',
}
