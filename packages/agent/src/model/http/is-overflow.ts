/** Whether an error message says that the messages do not fit into the context window. */
export function isOverflow(message: string): boolean {
  const text = message.slice(0, 2000).toLowerCase()
  return PHRASES.some((phrases) => phrases.every((phrase) => text.includes(phrase)))
}

/** What servers write: a message matches if it contains all phrases of a line. */
const PHRASES: readonly (readonly string[])[] = [
  ['context_length_exceeded'],
  ['exceed_context_size'],
  ['maximum context length'],
  ['context length', 'exceed'],
  ['context size', 'exceed'],
  ['context window', 'exceed'],
  ['context limit', 'exceed'],
  ['context window', 'too'],
  ['exceeds the available context'],
  ['exceeds the maximum', 'tokens'],
  ['prompt is too long'],
  ['prompt too long'],
  ['input is too long'],
  ['input length', 'exceed'],
  ['too many tokens'],
  ['reduce the length of the messages'],
  ['max_model_len'],
  ['maximum allowed', 'token'],
  ['larger than the maximum context'],
  ['greater than the context length'],
  ['longer than the context length'],
  ['context length of only'],
]
