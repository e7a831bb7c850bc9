import { expect, test } from 'vitest'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { scriptedModel } from '../../model/scripted-model.ts'
import { tool } from '../../tool/tool.ts'
import { collect } from '../run-result.ts'
import type { RunOptions } from '../options.ts'
import { run } from '../run.ts'
import { runRulesFor } from './run-rules.ts'

/** A run that calls `change` once for every prompt, and the arguments of these calls. */
function place(): {
  readonly ask: (more: Partial<RunOptions>) => Promise<void>
  readonly done: string[]
} {
  const journal = memoryJournal()
  const done: string[] = []
  const change = tool({
    name: 'change',
    description: 'Changes something.',
    parameters: {
      type: 'object',
      properties: { what: { type: 'string' } },
      required: ['what'],
    },
    async execute({ what }: { what: string }) {
      done.push(what)
      return 'Done.'
    },
  })
  let count = 0
  return {
    done,
    async ask(more) {
      const call = `<tool_call>\n{"name": "change", "arguments": {"what": "${count++}"}}\n</tool_call>`
      await collect(
        run({
          id: 'r',
          model: scriptedModel([call, 'Done.']),
          protocol: 'hermes',
          tools: [change],
          prompt: 'Change it.',
          journal,
          confirm: async () => true,
          ...more,
        }),
      )
    },
  }
}

const allowed = { permissions: { allow: ['change'] } }

test('the rules of a run apply whoever continues it, together with those added then', async () => {
  const { ask, done } = place()
  await ask({ ...allowed, given: { deny: ['change'] } })
  await ask({ ...allowed, resume: true })
  await ask({ ...allowed, resume: true, given: { allow: ['change'] } })
  await ask({ ...allowed, id: 'fork', fork: { run: 'r' } })
  expect(done).toEqual([])
  await ask({ ...allowed, id: 'other' })
  expect(done).toEqual(['4'])
})

test('the permissions and mode of a run are its own', async () => {
  const { ask, done } = place()
  await ask({ given: { allow: ['change'] } })
  await ask({ resume: true })
  await ask({ id: 'other' })
  expect(done).toEqual(['0', '1'])
  await ask({ resume: true, given: { mode: 'plan' } })
  await ask({ resume: true })
  expect(done).toEqual(['0', '1'])
})

test('an invalid new rule is rejected, but a recorded one whose tool is gone has no effect', async () => {
  const { ask, done } = place()
  const other = tool({ name: 'other', description: '', parameters: {}, execute: async () => '' })
  await expect(ask({ given: { deny: ['nothing'] } })).rejects.toThrow('Invalid rule nothing')
  await ask({ given: { deny: ['other'] }, id: 'with', tools: [other] })
  await ask({ ...allowed, id: 'with', resume: true })
  expect(done).toEqual(['2'])
})

test('empty rules count as none', () => {
  expect(runRulesFor(undefined, {})).toBeUndefined()
  expect(runRulesFor({ allow: ['a'], ask: [], deny: [] }, { allow: ['a', 'b'] })).toEqual({
    allow: ['a', 'b'],
    ask: [],
    deny: [],
  })
})
