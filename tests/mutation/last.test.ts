import { test } from 'vitest'

// The runner runs the mutants instead of this last test.
test('mutants', () => {})
