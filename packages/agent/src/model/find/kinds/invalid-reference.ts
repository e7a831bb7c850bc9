import { hideKeys } from '../../../result/redact.ts'
import { plainLine } from '../../plain-line.ts'

/** The error for a text that does not name a model. */
export function invalidReference(given: string, advice: string): TypeError {
  return new TypeError(
    `expected a model, such as ollama/qwen3:8b, http://127.0.0.1:8080/v1#name or ./qwen.gguf, got '${plainLine(hideKeys(given), 80)}': ${plainLine(hideKeys(advice))}`,
  )
}
