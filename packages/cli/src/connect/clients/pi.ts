import { join } from 'node:path'
import type { Client } from '../client.ts'

export const pi: Client = {
  id: 'pi',
  name: 'pi',
  file: ({ home }) => join(home, '.pi', 'agent', 'models.json'),
  settings: ({ url, token, model }) => ({
    values: [
      [
        ['providers', 'toolglot'],
        {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: token,
          models: [{ id: model }],
        },
      ],
    ],
  }),
  next: 'pi --provider toolglot --model MODEL',
}
