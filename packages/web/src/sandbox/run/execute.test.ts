import { expect, test } from 'vitest'
import { outcomeOf } from './execute.ts'

test('finds the type and message of a failure, but not in the output of a command', () => {
  const failed = { success: false, exit_code: null }
  expect(outcomeOf({ ...failed, result: 'invalid_input: a: b\nc' }, false)).toEqual({
    status: 'error',
    errorType: 'invalid_input',
    text: 'a: b\nc',
    exitCode: null,
  })
  expect(outcomeOf({ ...failed, result: 'permission_denied: no' }, false).status).toBe('denied')
  expect(outcomeOf({ ...failed, result: 'aborted: x' }, true).status).toBe('stopped')
  expect(outcomeOf({ success: false, result: 'ls: no such file', exit_code: 2 }, false)).toEqual({
    status: 'error',
    text: 'ls: no such file',
    exitCode: 2,
  })
  expect(outcomeOf({ success: true, result: 'error: none', exit_code: null }, false)).toEqual({
    status: 'success',
    text: 'error: none',
    exitCode: null,
  })
})
