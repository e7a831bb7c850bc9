import { type Agent, packaged } from '../agent.ts'

/** Qwen Code. */
export const qwenCode: Agent = {
  name: 'qwen-code',
  apis: ['chat', 'messages'],
  start({ api, gateway, token, model, prompt }) {
    const isChat = api === 'chat'
    return {
      command: [
        process.execPath,
        packaged('@qwen-code/qwen-code/cli.js'),
        '--yolo',
        '--auth-type',
        isChat ? 'openai' : 'anthropic',
        '--model',
        model,
        '--prompt',
        prompt,
      ],
      env: (isChat
        ? { OPENAI_BASE_URL: `${gateway}/v1`, OPENAI_API_KEY: token, OPENAI_MODEL: model }
        : {
            ANTHROPIC_BASE_URL: gateway,
            ANTHROPIC_API_KEY: token,
            ANTHROPIC_MODEL: model,
          }) as Record<string, string>,
    }
  },
  connected: {
    id: 'qwen-code',
    api: 'chat',
    command: ({ prompt }) => [
      process.execPath,
      packaged('@qwen-code/qwen-code/cli.js'),
      '--yolo',
      '--prompt',
      prompt,
    ],
  },
  shell: (command) => ({
    name: 'run_shell_command',
    args: { command, description: 'Runs a command', is_background: false },
  }),
  read: (path) => ({ name: 'read_file', args: { file_path: path } }),
}
