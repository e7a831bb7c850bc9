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
      [['env', 'ANTHROPIC_MODEL'], model],
      // For titles and the like it would ask for a model of its own.
      [['env', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'], model],
      [['env', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'], '1'],
    ],
  }),
  next: 'claude',
}
