import { deepEqual, equal } from 'node:assert/strict'
import { type Check, check } from './check.ts'

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
