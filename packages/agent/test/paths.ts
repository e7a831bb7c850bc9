import { type Answer, answer } from './model-server.ts'

/** Answers by path; what is no function is JSON. Other paths are not found. */
export function paths(answers: Readonly<Record<string, object | string>>): Answer {
  return (response, asked, socket) => {
    const found = answers[asked.path]
    const given = typeof found === 'function' ? (found as Answer) : undefined
    const plain = found === undefined ? answer(404, 'not found') : answer(200, found)
    return (given ?? plain)(response, asked, socket)
  }
}
