// The law: a call runs, and is recorded as approved, only if a person, a rule or the default for
// read-only tools allowed it. Every way of running calls is checked against the same model of the
// rules.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { ToolCallConfig } from '../src/registry/index.ts'
import { tool, type Tool } from '../src/tool/tool.ts'

const NAMES = ['look', 'put', 'drop'] as const
type Name = (typeof NAMES)[number]

/**
 * Rules, switches, the person's answers (undefined if no person is present), and the calls of a
 * reply.
 */
export interface ApprovalCase {
  readonly rules: { readonly [verdict in 'allow' | 'ask' | 'deny']: readonly Name[] }
  readonly config: ToolCallConfig
  readonly answers: readonly ('allow' | 'deny' | 'always')[] | undefined
  readonly calls: readonly Name[]
}

const names = fc.subarray([...NAMES])

/** Test cases. `hasSwitches` is false for ways of running that have rules only. */
export function approvalCases({ hasSwitches = true } = {}): fc.Arbitrary<ApprovalCase> {
  const config = fc.record(
    { mode: fc.constantFrom('auto', 'manual'), requireConfirmation: fc.boolean() },
    { requiredKeys: [] },
  )
  return fc.record({
    rules: fc.record({ allow: names, ask: names, deny: names }),
    config: hasSwitches ? config : fc.constant({}),
    answers: fc.option(
      fc.array(fc.constantFrom('allow', 'deny', 'always'), { minLength: 4, maxLength: 4 }),
      { nil: undefined },
    ),
    calls: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }),
  })
}

/**
 * A log of the calls of a case. Calls are identified by their position in the reply, which is their
 * only argument.
 */
export class ApprovalLog {
  readonly ran: number[] = []
  readonly answered = new Map<number, 'allow' | 'deny' | 'always'>()
  readonly #answers: ApprovalCase['answers']

  constructor({ answers }: ApprovalCase) {
    this.#answers = answers
  }

  /** The person's answer for a call. */
  answer(at: number): 'allow' | 'deny' | 'always' {
    expect(this.answered.has(at)).toBe(false)
    const answer = this.#answers![at]!
    this.answered.set(at, answer)
    return answer
  }

  /** A read-only tool, a normal one and a dangerous one. */
  tools(): Tool[] {
    return NAMES.map(
      (name) =>
        tool({
          name,
          description: name,
          parameters: { type: 'object', properties: { at: { type: 'integer' } } },
          ...(name === 'look' && { readOnly: true }),
          ...(name === 'drop' && { dangerous: true }),
          execute: ({ at }) => {
            this.ran.push(at as number)
            return 'done'
          },
        }) as Tool,
    )
  }

  /**
   * Checks the law. `records` are the recorded approvals by position in the reply, if this way of
   * running records any.
   */
  check(given: ApprovalCase, records?: readonly Recorded[]): void {
    const { calls, answers } = given
    for (const [at, name] of calls.entries()) {
      const need = needOf(given, name)
      const answer = this.answered.get(at)
      const isCovered = need === 'uncovered' && this.#addsRule(calls, name)
      const isAsked = answers !== undefined && (need === 'asked' || need === 'uncovered')
      if (!isCovered) expect([at, answer !== undefined]).toEqual([at, isAsked])
      const mayRun = answer === undefined ? need === 'free' || isCovered : answer !== 'deny'
      expect([at, this.ran.filter((each) => each === at)]).toEqual([at, mayRun ? [at] : []])
      if (records) this.#checkRecords(given, at, records)
    }
  }

  /** True if the person answered "always" for a call of the tool. */
  #addsRule(calls: ApprovalCase['calls'], name: Name): boolean {
    return [...this.answered].some(([at, answer]) => answer === 'always' && calls[at] === name)
  }

  #checkRecords({ calls }: ApprovalCase, at: number, records: readonly Recorded[]): void {
    const own = records.filter((record) => record.at === at)
    const answer = this.answered.get(at)
    const verdicts = own.map(({ verdict }) => verdict)
    if (answer !== undefined) expect(verdicts).toEqual([answer === 'deny' ? 'deny' : 'allow'])
    else if (own.length > 0) {
      expect(own).toEqual([{ at, verdict: 'allow', allowedBy: [calls[at]] }])
      expect(this.#addsRule(calls, calls[at]!)).toBe(true)
    }
  }
}

/** A recorded approval. */
export interface Recorded {
  readonly at: number
  readonly verdict: 'allow' | 'deny'
  /** The rules that allowed the call, if no person did. */
  readonly allowedBy?: readonly string[] | undefined
}

/**
 * The verdict on a call: denied, allowed, or approval required, because a rule says so or because
 * no rule matches.
 */
function needOf(
  { rules, config }: ApprovalCase,
  name: Name,
): 'denied' | 'free' | 'asked' | 'uncovered' {
  if (rules.deny.includes(name)) return 'denied'
  if (rules.ask.includes(name) || config.requireConfirmation || name === 'drop') return 'asked'
  if (rules.allow.includes(name) || config.mode === 'auto' || name === 'look') return 'free'
  return 'uncovered'
}
