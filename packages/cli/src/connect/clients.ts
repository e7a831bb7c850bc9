import { join } from 'node:path'
import type { Client } from './connection.ts'

/** The clients of `toolglot connect`, in the order of the list. */
export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    file: ({ home, env }) =>
      join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json'),
    settings: ({ url, token, model }) => ({
      values: [
        [['env', 'ANTHROPIC_BASE_URL'], url],
        [['env', 'ANTHROPIC_AUTH_TOKEN'], token],
        // Prevents Claude Code from sending an Anthropic key in the environment.
        [['env', 'ANTHROPIC_API_KEY'], ''],
        [['env', 'ANTHROPIC_MODEL'], model],
        // Otherwise, Claude Code would request Anthropic models for titles and subagents.
        [['env', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'], model],
        [['env', 'ANTHROPIC_DEFAULT_SONNET_MODEL'], model],
        [['env', 'ANTHROPIC_DEFAULT_OPUS_MODEL'], model],
        [['env', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'], '1'],
      ],
    }),
    next: 'claude',
  },
  // Codex, through a separate profile, so its other settings are unchanged.
  {
    id: 'codex',
    name: 'Codex',
    file: ({ home, env }) =>
      join(env['CODEX_HOME'] ?? join(home, '.codex'), 'toolglot.config.toml'),
    settings: ({ url, token, model }) => ({
      // JSON strings are valid TOML strings.
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
  // Continue, through a separate file, so its other settings are unchanged.
  {
    id: 'continue',
    name: 'Continue',
    file: ({ home }) => join(home, '.continue', 'toolglot.yaml'),
    settings: ({ url, token, model }) => ({
      // JSON strings are valid YAML strings.
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
  },
  {
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
    next: 'add it to the settings (zed: open settings), and enter the token when Zed asks for a key',
  },
  {
    id: 'aider',
    name: 'Aider',
    settings: ({ url, token, model }) => ({
      text: `openai-api-base: ${JSON.stringify(`${url}/v1`)}
openai-api-key: ${JSON.stringify(token)}
model: ${JSON.stringify(`openai/${model}`)}
`,
    }),
    next: 'add it to ~/.aider.conf.yml',
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    settings: ({ url, token }) => ({
      text: `OPENAI_API_BASE_URL=${url}/v1
OPENAI_API_KEY=${token}
`,
    }),
    next: 'set it in its environment, or under Admin Settings, Connections',
  },
]
