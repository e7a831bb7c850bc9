import { join } from 'node:path'
import type { Client } from '../client.ts'

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  file: ({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json'),
  settings: ({ url, token, model }) => ({
    values: [
      [['env', 'ANTHROPIC_BASE_URL'], url],
      [['env', 'ANTHROPIC_AUTH_TOKEN'], token],
      // A key of Anthropic in the environment would be sent along.
      [['env', 'ANTHROPIC_API_KEY'], ''],
      [['env', 'ANTHROPIC_MODEL'], model],
      // For titles, and in agents of its own, it would ask for models of Anthropic.
      [['env', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'], model],
      [['env', 'ANTHROPIC_DEFAULT_SONNET_MODEL'], model],
      [['env', 'ANTHROPIC_DEFAULT_OPUS_MODEL'], model],
      [['env', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'], '1'],
    ],
  }),
  next: 'claude',
}
