import { printCalls } from '@toolglot/core'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Agent, AgentCall, StartOptions } from './agent.ts'
import { claudeCode, codex, opencode } from './agents/index.ts'
import { roundOf, run, textOf, whenAsked } from './conversation.ts'
import type { Place } from './run-agent.ts'

// Our own tools inside real agents, under our own rules.

const packages = new URL('../../packages/', import.meta.url).pathname

/** `toolglot mcp` in a folder, with permission to read there and to run echo. */
function server({ folder }: Place): readonly string[] {
  const words = ['mcp', '--cwd', folder, '--allow', 'Bash(echo:*)', '--no-interactive']
  return [process.execPath, join(packages, 'cli/bin/toolglot.js'), ...words]
}

test.each<[string, Agent, (tool: string) => string]>([
  ['Claude Code', claudeCode, (tool) => `mcp__toolglot__${tool}`],
  ['Codex', codex, (tool) => `mcp__toolglot__${tool}`],
  ['opencode', opencode, (tool) => `toolglot_${tool}`],
])('toolglot mcp inside %s', async (_, agent, nameOf) => {
  await useTools(agent, nameOf, (place) => ({ mcp: server(place) }))
})

test('@toolglot/workspace/opencode inside opencode', async () => {
  const plugin = JSON.stringify(join(packages, 'workspace/dist/opencode/plugin.js'))
  const code = `import toolglot from ${plugin}
export default { id: 'toolglot', server: (input) => toolglot.server(input, {}) }
`
  const withPlugin: Agent = {
    ...opencode,
    start(options) {
      const start = opencode.start(options)
      const folder = `${options.home}/.config/opencode/plugins`
      const settings = JSON.stringify({ permissions: { allow: ['Bash(echo:*)'] } })
      return {
        ...start,
        files: {
          ...start.files,
          [`${folder}/toolglot.ts`]: code,
          [`${options.home}/.config/toolglot/settings.json`]: settings,
        },
      }
    },
  }
  await useTools(withPlugin, (tool) => tool)
})

/** The model reads a file, runs a command, and tries to run one that is not allowed. */
async function useTools(
  agent: Agent,
  nameOf: (tool: string) => string,
  start?: (place: Place) => Partial<StartOptions>,
): Promise<void> {
  const [api] = agent.apis
  const { place, ran } = await run(
    agent,
    api!,
    'hermes',
    ({ folder }) => {
      const calls: readonly AgentCall[] = [
        { name: nameOf('Read'), args: { file_path: join(folder, 'hello.txt') } },
        bash(nameOf, 'echo hi-from-our-bash'),
        bash(nameOf, 'rm other.txt'),
      ]
      return {
        reply: whenAsked(agent, (messages) => {
          const call = calls[roundOf(messages, 'hermes')]
          if (call) return printCalls('hermes', [call])
          const told = messages
            .filter(({ role }) => role !== 'assistant')
            .map(textOf)
            .join('\n')
          const facts = ['hi-from-file', 'hi-from-our-bash', 'permission_denied']
          return `DONE-42: ${facts.filter((fact) => told.includes(fact)).join(' ')}`
        }),
      }
    },
    start && { start },
  )
  expect(ran.output).toContain('DONE-42: hi-from-file hi-from-our-bash permission_denied')
  await access(join(place.folder, 'other.txt'))
}

function bash(nameOf: (tool: string) => string, command: string): AgentCall {
  return { name: nameOf('Bash'), args: { command, description: 'Runs a command' } }
}
