import { describe, test } from 'vitest'
import { conformance, type Platform } from '../src/conformance/index.ts'

/** A test for each check of the suite; what a platform lacks is skipped, with the reason in its name. */
export function describeConformance(name: string, platform: Platform): void {
  describe(name, () => {
    for (const { id, about, needs, run } of conformance) {
      const missing = needs && platform.lacks?.[needs]
      if (missing === undefined) test(`${id} ${about}`, () => run(platform))
      else test.skip(`${id} ${about}: ${missing}`)
    }
  })
}
