import { type Agent, packaged } from '../agent.ts'

/** OpenAI's Codex. */
export const codex: Agent = {
  name: 'Codex',
  apis: ['responses'],
  start({ gateway, token, model, prompt, home, mcp }) {
    const [program, ...words] = mcp ?? []
    const servers = program
      ? `[mcp_servers.toolglot]\ncommand = ${JSON.stringify(program)}\nargs = ${JSON.stringify(words)}\n`
      : ''
    return {
      command: [
        process.execPath,
        packaged('@openai/codex/bin/codex.js'),
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        prompt,
      ],
      env: { TOOLGLOT_GATEWAY_TOKEN: token, CODEX_HOME: `${home}/.codex` },
      files: {
        [`${home}/.codex/config.toml`]: `model = "${model}"
model_provider = "toolglot"

[model_providers.toolglot]
name = "Toolglot"
base_url = "${gateway}/v1"
env_key = "TOOLGLOT_GATEWAY_TOKEN"
wire_api = "responses"

${servers}`,
      },
    }
  },
  connected: {
    id: 'codex',
    api: 'responses',
    command: ({ prompt }) => [
      process.execPath,
      packaged('@openai/codex/bin/codex.js'),
      'exec',
      '--profile',
      'toolglot',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      prompt,
    ],
  },
  shell: (cmd) => ({ name: 'exec_command', args: { cmd } }),
  read: (path) => ({ name: 'exec_command', args: { cmd: `cat ${path}` } }),
}
