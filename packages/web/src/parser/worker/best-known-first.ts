/** The protocols that most people know, the best known first. */
const KNOWN = [
  ...['hermes', 'qwen3-coder', 'mistral', 'mistral-array', 'llama3', 'llama3-json', 'glm'],
  ...['deepseek-v3.1', 'deepseek-v3', 'harmony', 'kimi-k2', 'gemma4', 'pythonic', 'json'],
]

/** Sorts ids of protocols: a drawn one first, then those that are known best, then by name. */
export function bestKnownFirst(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0)
}

function rank(id: string): number {
  if (id === 'drawn') return -1
  const at = KNOWN.indexOf(id)
  return at < 0 ? KNOWN.length : at
}
