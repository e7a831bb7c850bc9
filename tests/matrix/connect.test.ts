import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../../packages/cli/test/start-command.ts'
import type { Agent, StartOptions } from './agent.ts'
import * as agents from './agents/index.ts'
import { threeRounds } from './three-rounds.ts'

const all = Object.values(agents).map((agent): [string, Agent] => [agent.connected.id, agent])

/**
 * Keys that users have in their environment for other servers. The gateway would refuse a request
 * with one of them. Qwen Code prefers OPENAI_API_KEY to its settings, which docs/gateway.md
 * mentions.
 */
const OTHER_KEYS = {
  ANTHROPIC_API_KEY: 'sk-ant-of-somebody',
  OPENAI_API_KEY: 'sk-of-somebody',
  TOOLGLOT_TOKEN: 'a-token-of-another-server-that-is-long-enough',
}

test.each(all)('toolglot connect %s', async (id, agent) => {
  const connect = async (home: string, ...words: string[]) => {
    const result = await startCommand(['connect', id, ...words], { env: { HOME: home } })
    expect(result).toMatchObject({ code: 0 })
  }
  let options: StartOptions | undefined
  /** The agent with only the written settings. */
  const connected: Agent = {
    ...agent,
    start(given) {
      options = given
      return { command: agent.connected.command(given), env: id === 'qwen-code' ? {} : OTHER_KEYS }
    },
    async prepare({ home, gateway, token, model }) {
      await connect(home, '--write', '--url', gateway, '--token', token, '--model', model)
    },
  }
  await threeRounds(connected, agent.connected.api, 'hermes')
  await connect(options!.home, '--undo')
  // None of our settings remain, regardless of the agent's own changes.
  const { token } = options!
  for (const entry of await readdir(options!.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:json|toml|yaml)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    expect(await readFile(path, 'utf8'), path).not.toContain(token)
  }
})
