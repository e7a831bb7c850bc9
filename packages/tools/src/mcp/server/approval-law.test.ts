import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createRegistry } from '@toolglot/agent/registry'
import { readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import fc from 'fast-check'
import { test } from 'vitest'
import { approvalCases, ApprovalLog } from '../../../../agent/test/approval-law.ts'
import { mcpServers } from './mcp-servers.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

test('law: a call over MCP runs only if a person, a rule or the default for reading allows it', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases(), async (given) => {
      const log = new ApprovalLog(given)
      const registry = createRegistry(log.tools(), given.config)
      const { rules } = readRules(given.rules, { tools: registry.access })
      const permissions = { rules: [...rules, ...registry.resolved.rules], tools: registry.access }
      const fileSystem = nodeFileSystem({ cwd: '/' })
      const options = { tools: registry.tools, permissions, fileSystem, version: '1' }
      const server = await mcpServers(options)({ era: 'legacy' })
      const [ours, theirs] = InMemoryTransport.createLinkedPair()
      const capabilities = given.answers ? { elicitation: { form: {} } } : {}
      const client = new Client({ name: 'test', version: '1' }, { capabilities })
      let at = 0
      if (given.answers)
        client.setRequestHandler('elicitation/create', () => ({
          action: log.answer(at) === 'deny' ? 'decline' : 'accept',
          content: {},
        }))
      await Promise.all([server.connect(ours), client.connect(theirs)])
      for (const [place, name] of given.calls.entries()) {
        at = place
        await client.callTool({ name, arguments: { at } })
      }
      await client.close()
      log.check(given)
    }),
    runs(200),
  )
})
