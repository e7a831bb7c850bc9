import { test } from 'vitest'

// The runner runs the mutants in place of this test, which is the last one.
test('mutants', () => {})
