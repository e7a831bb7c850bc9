import { equal, match, deepEqual } from 'node:assert/strict'
import { type Check, check } from './check.ts'
import { readTodos } from '../tools/todo-list.ts'

/** Arguments are validated before any work starts, and failures have a common form. */
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

const database = {
  question: 'Which database should we use?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL', description: 'Relational, ACID compliant' },
    { label: 'MongoDB', description: 'Document store, flexible schema' },
    { label: 'Redis', description: 'In-memory, key-value store' },
  ],
  multiSelect: false,
}
const languages = {
  question: 'For which languages?',
  header: 'Languages',
  options: [
    { label: 'Go', description: 'The server' },
    { label: 'Other', description: 'Whatever else is there' },
    { label: 'Python', description: 'The scripts' },
  ],
  multiSelect: true,
}

/** Checks of AskUserQuestion. */
export const ask: readonly Check[] = [
  check(
    'T1.7',
    'AskUserQuestion: one choice, and several',
    async ({ result }) => {
      const { answers } = await result('AskUserQuestion', { questions: [database, languages] })
      deepEqual(answers, {
        [database.question]: 'Redis',
        [languages.question]: ['Go', 'Other'],
      })
    },
    {
      needs: 'ask',
      answers: { [database.question]: 'Redis', [languages.question]: ['Go', 'Other'] },
    },
  ),

  check(
    'T1.7',
    'AskUserQuestion: free-form answers',
    async ({ result }) => {
      const { answers } = await result('AskUserQuestion', { questions: [database, languages] })
      deepEqual(answers, {
        [database.question]: 'None at all',
        [languages.question]: ['Python', 'Zig'],
      })
    },
    {
      needs: 'ask',
      answers: { [database.question]: 'None at all', [languages.question]: ['Python', 'Zig'] },
    },
  ),

  check(
    'T1.7',
    'AskUserQuestion: no answer is not consent',
    async ({ failure }) => {
      const { error_type } = await failure('AskUserQuestion', { questions: [database] })
      equal(error_type, 'permission_denied')
    },
    { needs: 'ask' },
  ),
]

const todos = [
  {
    content: 'Implement user authentication',
    status: 'in_progress',
    activeForm: 'Implementing user authentication',
  },
  { content: 'Add unit tests', status: 'pending', activeForm: 'Adding unit tests' },
  { content: 'Read the ticket', status: 'completed', activeForm: 'Reading the ticket' },
]

/** Checks of TodoWrite. */
export const todo: readonly Check[] = [
  check('T2.1', 'TodoWrite: a list that outlives the session', async (context) => {
    equal((await context.result('TodoWrite', { todos }))['success'], true)
    const { storage } = await context.reopen()
    deepEqual(await readTodos(storage, context.run), todos)
  }),

  check('T2.1', 'TodoWrite: an unknown status', async ({ failure }) => {
    const odd = [{ ...todos[0], status: 'someday' }]
    equal((await failure('TodoWrite', { todos: odd })).error_type, 'invalid_input')
  }),
]
