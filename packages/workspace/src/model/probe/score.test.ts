import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ProbedProtocol, type TaskResult, bestOf, compareProbed, doneIn } from './score.ts'

const task: fc.Arbitrary<TaskResult> = fc.record({
  task: fc.constant('a task'),
  outcome: fc.constantFrom('done', 'repaired', 'failed', 'skipped'),
  called: fc.boolean(),
  repairs: fc.constant([]),
  duration: fc.nat(100_000),
  tokens: fc.nat(10_000),
})

const probed: fc.Arbitrary<ProbedProtocol> = fc.record({
  protocol: fc.string(),
  isOwn: fc.boolean(),
  tasks: fc.array(task, { minLength: 3, maxLength: 3 }),
})

const cleanIn = ({ tasks }: ProbedProtocol): number =>
  tasks.filter(({ outcome }) => outcome === 'done').length

test('never prefers a dialect with fewer completed tasks', () => {
  fc.assert(
    fc.property(fc.array(probed, { minLength: 1 }), (all) => {
      const best = bestOf(all)
      const most = Math.max(...all.map(doneIn))
      expect(best ? doneIn(best) : 0).toBe(most)
      expect(best === undefined).toBe(most === 0)
    }),
  )
})

test("of equally good dialects, prefers the model's own at any cost", () => {
  fc.assert(
    fc.property(probed, fc.nat(), (one, cost) => {
      const own = {
        ...one,
        isOwn: true,
        tasks: one.tasks.map((each) => ({ ...each, tokens: cost })),
      }
      expect(compareProbed(own, { ...one, isOwn: false })).toBeLessThan(0)
    }),
  )
})

test('is a total order', () => {
  fc.assert(
    fc.property(probed, probed, probed, (a, b, c) => {
      expect(Math.sign(compareProbed(a, b))).toBe(-Math.sign(compareProbed(b, a)) + 0)
      if (compareProbed(a, b) <= 0 && compareProbed(b, c) <= 0)
        expect(compareProbed(a, c)).toBeLessThanOrEqual(0)
      if (doneIn(a) === doneIn(b) && cleanIn(a) > cleanIn(b))
        expect(compareProbed(a, b)).toBeLessThan(0)
    }),
  )
})
