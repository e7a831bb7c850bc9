import { join } from 'node:path'
import type { Client } from '../client.ts'

/** Continue, by a file of its own: without it, Continue stays as it was. */
export const continueCli: Client = {
  id: 'continue',
  name: 'Continue',
  file: ({ home }) => join(home, '.continue', 'toolglot.yaml'),
  settings: ({ url, token, model }) => ({
    // JSON strings are YAML strings.
    text: `name: Toolglot
version: 0.0.1
schema: v1
models:
  - name: ${JSON.stringify(model)}
    provider: openai
    model: ${JSON.stringify(model)}
    apiBase: ${JSON.stringify(`${url}/v1`)}
    apiKey: ${JSON.stringify(token)}
    capabilities:
      - tool_use
    roles:
      - chat
`,
  }),
  next: 'cn --config ~/.continue/toolglot.yaml',
}
