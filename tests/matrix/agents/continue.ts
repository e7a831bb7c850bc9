import { type Agent, packaged } from '../agent.ts'

/** Continue's command. */
export const continueCli: Agent = {
  name: 'Continue',
  apis: ['chat'],
  start({ gateway, token, model, prompt, home }) {
    const config = `${home}/config.yaml`
    return {
      command: [
        process.execPath,
        packaged('@continuedev/cli/dist/cn.js'),
        '--config',
        config,
        '--auto',
        '--print',
        prompt,
      ],
      env: { CONTINUE_TELEMETRY_ENABLED: '0' },
      files: {
        [config]: `name: Toolglot
version: 0.0.1
schema: v1
models:
  - name: toolglot
    provider: openai
    model: ${model}
    apiBase: ${gateway}/v1
    apiKey: ${token}
    capabilities:
      - tool_use
    roles:
      - chat
`,
      },
    }
  },
  connected: {
    id: 'continue',
    api: 'chat',
    command: ({ prompt, home }) => [
      process.execPath,
      packaged('@continuedev/cli/dist/cn.js'),
      '--config',
      `${home}/.continue/toolglot.yaml`,
      '--auto',
      '--print',
      prompt,
    ],
  },
  shell: (command) => ({ name: 'Bash', args: { command } }),
  read: (path) => ({ name: 'Read', args: { filepath: path } }),
}
