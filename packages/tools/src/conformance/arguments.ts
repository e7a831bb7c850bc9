import { equal, match } from 'node:assert/strict'
import { type Check, check } from './check.ts'

/** Arguments are validated before anything runs, and failures have a common form. */
export const wrongArguments: readonly Check[] = [
  check('ToolError', 'an unknown parameter', async ({ put, failure }) => {
    await put('a.txt', 'x\n')
    const { tool, error_type, message } = await failure('Read', { file_path: 'a.txt', colour: 1 })
    equal(tool, 'Read')
    equal(error_type, 'invalid_input')
    match(message, /colour/)
  }),

  check('ToolError', 'a parameter of the wrong type', async ({ failure }) => {
    const { error_type, message } = await failure('Bash', { command: 7 })
    equal(error_type, 'invalid_input')
    match(message, /command/)
  }),

  check('ToolError', 'a missing parameter', async ({ failure }) => {
    const { error_type, message } = await failure('Write', { file_path: 'a.txt' })
    equal(error_type, 'invalid_input')
    match(message, /content/)
  }),
]
