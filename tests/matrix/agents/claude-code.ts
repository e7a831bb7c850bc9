import { type Agent, packaged, platform } from '../agent.ts'

/** Anthropic's Claude Code. */
export const claudeCode: Agent = {
  name: 'Claude Code',
  apis: ['messages'],
  start({ gateway, token, model, prompt, home, mcp }) {
    const [command, ...args] = mcp ?? []
    const config = `${home}/mcp.json`
    return {
      command: [
        packaged(`@anthropic-ai/claude-code-${platform}/claude`),
        '--print',
        prompt,
        '--allowedTools',
        'Bash,Read,mcp__toolglot',
        ...(command ? ['--mcp-config', config, '--strict-mcp-config'] : []),
      ],
      env: {
        ANTHROPIC_BASE_URL: gateway,
        ANTHROPIC_AUTH_TOKEN: token,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      files: command
        ? { [config]: JSON.stringify({ mcpServers: { toolglot: { command, args } } }) }
        : {},
    }
  },
  connected: {
    id: 'claude-code',
    api: 'messages',
    command: ({ prompt }) => [
      packaged(`@anthropic-ai/claude-code-${platform}/claude`),
      '--print',
      prompt,
      '--allowedTools',
      'Bash,Read',
    ],
  },
  shell: (command) => ({ name: 'Bash', args: { command, description: 'Runs a command' } }),
  read: (path) => ({ name: 'Read', args: { file_path: path } }),
}
