import { describe, test } from 'vitest'
import { conformance, type ConformanceTarget } from '../src/conformance/index.ts'

/** Defines a test for each check. Those whose feature the target lacks are skipped, with the reason in the title. */
export function describeConformance(name: string, target: ConformanceTarget): void {
  describe(name, () => {
    for (const { id, about, needs, run } of conformance) {
      const missing = needs && target.lacks?.[needs]
      if (missing === undefined) test(`${id} ${about}`, () => run(target))
      else test.skip(`${id} ${about}: ${missing}`)
    }
  })
}
