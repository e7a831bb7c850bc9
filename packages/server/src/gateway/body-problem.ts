import { isDeeperThan } from './json-depth.ts'

/** Why a body is refused: the codes, and their statuses. */
export const BODY_STATUSES = {
  body_too_large: 413,
  too_deep: 400,
  unsupported_media_type: 415,
} as const

/** Why a body is refused, in the server and in the gateway alike. */
export interface BodyProblem {
  readonly code: keyof typeof BODY_STATUSES
  readonly message: string
}

/** What is wrong with the content type of a body; undefined if it is JSON in UTF-8. */
export function typeProblem(contentType: string | null): BodyProblem | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const isJson =
    type.trim() === 'application/json' &&
    parameters.every((each) => each.trim().replaceAll('"', '') === 'charset=utf-8')
  if (isJson) return undefined
  return {
    code: 'unsupported_media_type',
    message: 'Expected JSON in UTF-8: send content-type: application/json.',
  }
}

/** That a body is too large. */
export function sizeProblem(max: number): BodyProblem {
  const message = `Expected a body of at most ${max} bytes. Send less.`
  return { code: 'body_too_large', message }
}

/** What is wrong with the nesting of a body; undefined if it is not too deep. */
export function depthProblem(max: number, body: Uint8Array): BodyProblem | undefined {
  if (!isDeeperThan(max, body)) return undefined
  const message = `Expected arrays and objects to be nested at most ${max} deep.`
  return { code: 'too_deep', message }
}
