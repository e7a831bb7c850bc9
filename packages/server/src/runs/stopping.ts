import { HttpError } from '../security/http-error.ts'

/** Why nothing begins any more. */
export function stopping(): HttpError {
  return new HttpError('stopping', 'The server stops.', { action: 'Try again in a moment.' })
}
