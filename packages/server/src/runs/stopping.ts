import { HttpError } from '../security/http-error.ts'

/** The error for requests while the server is stopping. */
export function stopping(): HttpError {
  return new HttpError('stopping', 'The server is stopping.', { action: 'Try again in a moment.' })
}
