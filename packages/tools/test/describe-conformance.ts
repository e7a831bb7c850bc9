import { describe, test } from 'vitest'
import { share } from '../../../tests/helpers/size.ts'
import { conformance, type ConformanceTarget } from '../src/conformance/index.ts'

/**
 * Defines a test for each check, or in `npm test` for one in every `of`, except for checks of
 * features that the target lacks.
 */
export function describeConformance(name: string, target: ConformanceTarget, of = 1): void {
  describe(name, () => {
    for (const { id, about, needs, run } of share(conformance, of)) {
      if (needs && target.lacks?.[needs]) continue
      test(`${id} ${about}`, () => run(target))
    }
  })
}
