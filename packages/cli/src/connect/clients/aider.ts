import type { Client } from '../client.ts'

export const aider: Client = {
  id: 'aider',
  name: 'Aider',
  settings: ({ url, token, model }) => ({
    text: `openai-api-base: ${JSON.stringify(`${url}/v1`)}
openai-api-key: ${JSON.stringify(token)}
model: ${JSON.stringify(`openai/${model}`)}
`,
  }),
  next: 'put it into ~/.aider.conf.yml',
}
