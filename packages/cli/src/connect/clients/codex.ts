import { join } from 'node:path'
import type { Client } from '../client.ts'

/** Codex, by a profile of its own: without it, Codex stays as it was. */
export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  file: ({ home, env }) => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'toolglot.config.toml'),
  settings: ({ url, token, model }) => ({
    // JSON strings are TOML strings.
    text: `model = ${JSON.stringify(model)}
model_provider = "toolglot"

[model_providers.toolglot]
name = "Toolglot"
base_url = ${JSON.stringify(`${url}/v1`)}
experimental_bearer_token = ${JSON.stringify(token)}
wire_api = "responses"
`,
  }),
  next: 'codex --profile toolglot',
}
