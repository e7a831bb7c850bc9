import fc from 'fast-check'
import { afterEach, test } from 'vitest'
import { type ApprovalCase, approvalCases, ApprovalLog } from '../../agent/test/approval-law.ts'
import { forgetTools } from '../test/vcp.ts'
import { executeSingleRequest, PTKManager, ToolManager, toolRegistryManager } from './index.ts'
import { runs } from '../../../tests/helpers/size.ts'

afterEach(forgetTools)
const RUNS = runs(200)

/**
 * A tool manager with a log of its requests and executions. Its own tools are allowed unless a rule
 * says otherwise.
 */
function managed(drawn: ApprovalCase) {
  const given = { ...drawn, config: { mode: 'auto' } as const }
  const log = new ApprovalLog(given)
  const manager = new ToolManager({
    permissions: given.rules,
    ...(given.answers && {
      askUserConfirmation: async (_name, { at }) => log.answer(at as number) !== 'deny',
    }),
  })
  for (const each of log.tools()) manager.registerTool(each)
  return { given, log, manager }
}

test('law: a tool manager runs a call only if a person or a rule allows it', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases({ hasSwitches: false }), async (drawn) => {
      const { given, log, manager } = managed(drawn)
      // A call that may not run throws.
      for (const [at, name] of given.calls.entries())
        await manager.execute(name, { at }).catch(() => {})
      log.check(given)
    }),
    RUNS,
  )
})

test('law: calls that a manager runs for a model need the same approvals', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases({ hasSwitches: false }), async (drawn) => {
      const { given, log, manager } = managed(drawn)
      const replies = given.calls.map(
        (tool, at) => `<PTK_CALL>\n${JSON.stringify({ tool, args: { at } })}\n</PTK_CALL>`,
      )
      const call = async (): Promise<string> => replies.shift() ?? 'Done.'
      await new PTKManager({ call }, manager).execute('Go', { maxIterations: 10 })
      log.check(given)
    }),
    RUNS,
  )
})

test('law: a request runs without confirmation only if the configuration requires none', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases(), async ({ config, answers, calls: { length } }) => {
      forgetTools()
      const calls = Array.from({ length }, () => 'put' as const)
      const rules = { allow: [], ask: [], deny: [] }
      const given = { rules, config: { mode: 'auto', ...config }, answers, calls } as const
      const log = new ApprovalLog(given)
      toolRegistryManager.register({
        id: 'kit',
        getMetadata: () => ({ methods: [{ name: 'put', agentCallable: true }] }),
        put: ({ at }: Record<string, string>) => void log.ran.push(Number(at)),
      })
      for (const at of calls.keys())
        await executeSingleRequest(
          { requestId: `${at}`, toolName: 'kit_put', rawBlock: '', args: { at: `${at}` } },
          {
            config,
            ...(answers && {
              onBeforeExecute: ({ args }) => log.answer(Number(args['at'])) !== 'deny',
            }),
          },
        )
      log.check(given)
    }),
    RUNS,
  )
})
