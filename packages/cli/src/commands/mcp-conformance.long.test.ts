import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { ExecuteResult, ToolFailure } from '@toolglot/agent'
import { conformance, type ConformanceTarget } from '@toolglot/tools/conformance'
import { test, vi } from 'vitest'
import { isLong } from '../../../../tests/helpers/size.ts'
import { connect } from '../../test/mcp-client.ts'

/** The built command as other agents start it, and the official client, without any fakes. */
const platform: ConformanceTarget = {
  lacks: { ask: 'agents have a way of their own to ask' },
  async open({ root, state, allow, deny, ask = [], search }) {
    mkdirSync(state, { recursive: true })
    const settings = join(state, 'settings.json')
    writeFileSync(settings, JSON.stringify({ permissions: { allow, deny, ask } }))
    const connection = await connect({
      over: 'stdio',
      era: 'legacy',
      words: ['--cwd', root, '--settings', settings],
      env: { XDG_STATE_HOME: state, ...(search !== undefined && { SEARXNG_URL: search }) },
    })
    const run = await vi.waitFor(() => /toolglot undo (\S+)\n/.exec(connection.errors())![1]!)
    return {
      run,
      storage: { folder: join(state, 'toolglot') },
      call: async (name, args, signal) =>
        outcomeOf(
          await connection.client.callTool({ name, arguments: args }, signal ? { signal } : {}),
        ),
      close: () => connection.close(),
    }
  },
}

function outcomeOf({ isError, content, structuredContent }: CallToolResult): ExecuteResult {
  if (isError) return { status: 'error', failure: structuredContent as unknown as ToolFailure }
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return { status: 'success', result: structuredContent, text }
}

// Each check starts a process, so by default only one runs for each id.
const checks = isLong
  ? conformance
  : conformance.filter(({ id }, index) => conformance.findIndex((each) => each.id === id) === index)

for (const { id, about, needs, run } of checks) {
  if (needs && platform.lacks?.[needs]) continue
  test(`${id} ${about}`, () => run(platform))
}
