import fc from 'fast-check'
import { test } from 'vitest'
import { ApprovalLog, type ApprovalCase, approvalCases } from '../../../test/approval-law.ts'
import { executeWith } from '../../../test/execute-with.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { readRules } from '@toolglot/permissions'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { createRegistry } from '../../registry/create-registry.ts'
import type { ApprovalAnswer, CallOptions } from '../options.ts'
import { cycle } from '../cycle.ts'
import type { RunEvent } from '../event.ts'
import { replay } from '../resume/replay.ts'
import { run } from '../run.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

const RUNS = runs(300)

function approver(log: ApprovalLog, { answers }: ApprovalCase): Pick<CallOptions, 'approve'> {
  if (!answers) return {}
  const said: Record<string, ApprovalAnswer> = {
    allow: { verdict: 'allow' },
    deny: { verdict: 'deny' },
    always: { verdict: 'allow', always: true },
  }
  return { approve: async ({ args }) => said[log.answer(args['at'] as number)]! }
}

/** The recorded approvals, by position in the reply. */
function approvalsIn(events: readonly RunEvent[]): Parameters<ApprovalLog['check']>[1] {
  const places = new Map(
    events.flatMap((each) =>
      each.type === 'approval-request' ? [[each.key, each.args['at'] as number]] : [],
    ),
  )
  return events.flatMap((each) => {
    if (each.type !== 'approval') return []
    const { allowedBy, approval } = each
    return { at: places.get(each.key)!, verdict: approval.verdict, ...(allowedBy && { allowedBy }) }
  })
}

const toolsOf = (log: ApprovalLog, { config }: ApprovalCase) => createRegistry(log.tools(), config)

test('law: run() asks exactly when rules and switches require it, and records only real answers', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases(), async (given) => {
      const log = new ApprovalLog(given)
      const reply = given.calls.map((name, at) => call(name, { at })).join('\n')
      const journal = memoryJournal()
      const tools = toolsOf(log, given)
      const model = scripted([reply, 'Done.', 'Done.'])
      const options = { id: 'r', model, tools, prompt: 'Go', permissions: given.rules, journal }
      for await (const _ of run({ ...options, ...approver(log, given) }));
      log.check(given, approvalsIn([...replay('r', await journal.read('r'))]))
    }),
    RUNS,
  )
})

test('law: so does cycle()', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases(), async (given) => {
      const log = new ApprovalLog(given)
      const calls = given.calls.map((name, at) => ({ id: `c${at}`, name, args: { at } }))
      const tools = toolsOf(log, given)
      const events: RunEvent[] = []
      const options = { reply: { calls }, tools, permissions: given.rules, ...approver(log, given) }
      for await (const event of cycle(options)) events.push(event)
      log.check(given, approvalsIn(events))
    }),
    RUNS,
  )
})

test('law: so does execute(), which adds no rules', async () => {
  await fc.assert(
    fc.asyncProperty(approvalCases(), async (given) => {
      const log = new ApprovalLog(given)
      const tools = toolsOf(log, given)
      const { rules } = readRules(given.rules, { tools: tools.access })
      const approve = async ({ call: { args } }: { call: { args: object } }) => ({
        verdict:
          log.answer((args as { at: number }).at) === 'deny'
            ? ('deny' as const)
            : ('allow' as const),
      })
      for (const [at, name] of given.calls.entries())
        await executeWith(
          tools,
          { id: `c${at}`, name, args: { at } },
          { permissions: { rules }, ...(given.answers && { approve }) },
        )
      log.check(given)
    }),
    RUNS,
  )
})
