import type { RecordedTurn } from '@toolglot/agent/journal'
import { HttpError } from '../../../security/http-error.ts'
import type { Endpoint } from '../../endpoint.ts'
import { findTurn } from '../../read-records.ts'
import { recordedTurn } from '../../schemas/recorded-turn.ts'

/** Shows one turn of a run. */
export const showTurn: Endpoint<'GET /api/runs/:run/turns/:turn', object, RecordedTurn> = {
  name: 'GET /api/runs/:run/turns/:turn',
  about: 'Show a turn of a run: the prompt as it was sent, and the reply as it came.',
  details: 'Turns are counted from 0, last turns without tools included.',
  answers: {
    200: {
      about: 'The turn.',
      schema: recordedTurn,
    },
  },
  async handle({ parameters: { run, turn } }, { services: { runs, journal } }) {
    const found = findTurn(await runs.find(run), await journal.read(run), turn)
    if (typeof found !== 'number') return found
    throw new HttpError('not_found', `The run has ${found} turns, counted from 0.`, {
      action: 'Ask for one of them.',
    })
  },
}
