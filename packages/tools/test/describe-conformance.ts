import { describe, test } from 'vitest'
import { conformance, type ConformanceTarget } from '../src/conformance/index.ts'

/** A test for each check of the suite; what a platform lacks is skipped, with the reason in its name. */
export function describeConformance(name: string, target: ConformanceTarget): void {
  describe(name, () => {
    for (const { id, about, needs, run } of conformance) {
      const missing = needs && target.lacks?.[needs]
      if (missing === undefined) test(`${id} ${about}`, () => run(target))
      else test.skip(`${id} ${about}: ${missing}`)
    }
  })
}
