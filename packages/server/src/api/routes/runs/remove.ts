import type { Endpoint } from '../../endpoint.ts'

/** Deletes a run. */
export const removeRun: Endpoint<'DELETE /api/runs/:run', object, undefined> = {
  name: 'DELETE /api/runs/:run',
  about: 'Delete a run. Its changes to files stay.',
  answers: { 204: { about: 'It is gone.' } },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    await runs.find(run)
    await journal.remove(run)
    await runs.forget(run)
    return undefined
  },
}
