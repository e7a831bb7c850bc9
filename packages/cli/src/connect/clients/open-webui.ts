import type { Client } from '../client.ts'

export const openWebui: Client = {
  id: 'open-webui',
  name: 'Open WebUI',
  settings: ({ url, token }) => ({
    text: `OPENAI_API_BASE_URL=${url}/v1
OPENAI_API_KEY=${token}
`,
  }),
  next: 'set it in its environment, or under Admin Settings, Connections',
}
