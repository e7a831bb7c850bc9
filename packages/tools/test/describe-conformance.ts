import { describe, test } from 'vitest'
import { conformance, type ConformanceTarget } from '../src/conformance/index.ts'

/** Defines a test for each check, but for those that need a feature the target lacks. */
export function describeConformance(name: string, target: ConformanceTarget): void {
  describe(name, () => {
    for (const { id, about, needs, run } of conformance) {
      if (needs && target.lacks?.[needs]) continue
      test(`${id} ${about}`, () => run(target))
    }
  })
}
