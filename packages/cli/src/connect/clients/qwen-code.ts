import { join } from 'node:path'
import type { Client } from '../client.ts'

export const qwenCode: Client = {
  id: 'qwen-code',
  name: 'Qwen Code',
  file: ({ home }) => join(home, '.qwen', 'settings.json'),
  settings: ({ url, token, model }) => ({
    values: [
      [['security', 'auth', 'selectedType'], 'openai'],
      [['security', 'auth', 'baseUrl'], `${url}/v1`],
      [['security', 'auth', 'apiKey'], token],
      [['model', 'name'], model],
    ],
  }),
  next: 'qwen',
}
